#include "prove/write_points.hpp"

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>

#include "prove/scenario_run.hpp"
#include "prove/torn_disk.hpp"

namespace tgkeep::prove {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostProblems = 20;
constexpr int kDied = 77;
constexpr int kFailed = 78;
constexpr const char* kVfs = "tgkeep_points";

/// Counts, and ends the process at one of them.
class DyingDisk final : public DiskScript {
 public:
  explicit DyingDisk(std::int64_t last) : last_(last) {}
  int before_write(const std::string&, std::int64_t, std::string_view) override { return count(); }
  int before_truncate(const std::string&, std::int64_t) override { return count(); }
  int before_sync(const std::string&) override { return count(); }

 private:
  int count() {
    if (++counted_ == last_) ::_exit(kDied);
    return SQLITE_OK;
  }
  const std::int64_t last_;
  std::atomic<std::int64_t> counted_ = 0;  // the store's thread and the archiver's
};

/// Shared with a forked child.
class SharedCount {
 public:
  SharedCount()
      : count_(new (::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<std::int64_t>(0)) {}
  ~SharedCount() { ::munmap(count_, sizeof(*count_)); }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
  std::atomic<std::int64_t>& operator*() const noexcept { return *count_; }

 private:
  std::atomic<std::int64_t>* count_;
};

void report(WritePoints& found, std::string problem) {
  if (found.problems.size() < kMostProblems) found.problems.push_back(std::move(problem));
}

std::string empty_folder(const std::string& path) {
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

void judge(WritePoints& found, const Finding& finding, const std::string& when) {
  if (!finding.opened) {
    report(found, when + " it can't be opened: " + finding.error);
  } else if (!finding.difference.empty()) {
    report(found, when + ": " + finding.difference);
  }
}

/// One process that dies at write `point`; false when it came to its end.
bool die_at(const Scenario& scenario, const std::string& folder, std::int64_t point, WritePoints& found) {
  const SharedCount acknowledged;
  const std::string store = empty_folder(folder + "/dying");
  const pid_t child = ::fork();
  if (child == 0) {
    DyingDisk disk(point);
    const DiskVfs vfs(kVfs, disk);
    const Result<void> ran = run_scenario(scenario, store, kVfs, *acknowledged);
    ::_exit(ran ? 0 : kFailed);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const auto steps = static_cast<std::size_t>(acknowledged.operator*().load());
  const std::string when =
      "dead at write " + std::to_string(point) + ", after " + std::to_string(steps) + " verbs";
  if (code != kDied && code != 0) report(found, when + ": the process ended with " + std::to_string(status));
  judge(found, examine(scenario, store, steps, std::min(steps + 1, scenario.steps().size())), when);
  if (code == kDied) ++found.deaths;
  return code == kDied;
}

/// The side file is not synced: it may be as it is, or not to be read at all.
void copy_side_file(const std::string& from, const std::string& to, Dice& dice) {
  std::ifstream file(from + "/inbox.commits", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (dice.chance(0.2)) text.resize(text.size() / 2);
  std::ofstream(to + "/inbox.commits", std::ios::binary) << text;
}

void cut_power(const Scenario& scenario, const WritePointsOptions& options, const std::string& folder,
               WritePoints& found) {
  const std::string store = empty_folder(folder + "/torn");
  std::atomic<std::int64_t> acknowledged = 0;
  Dice dice(options.seed ^ 0x70);
  TornDisk* disk = nullptr;
  const auto cut = [&] {
    const auto steps = static_cast<std::size_t>(acknowledged.load());
    for (std::size_t image = 0; image < options.images; ++image) {
      const std::string left = empty_folder(folder + "/left");
      if (disk->write_image(left, dice)) ++found.lost_unsynced;
      copy_side_file(store, left, dice);
      if (++found.power_cuts % 500 == 0)
        std::fprintf(stderr, "%lld power cuts ...\n", static_cast<long long>(found.power_cuts));
      const std::size_t most = std::min(steps + 1, scenario.steps().size());
      judge(found, examine(scenario, left, scenario.durable(steps), most),
            "power cut after " + std::to_string(steps) + " verbs, image " + std::to_string(found.power_cuts));
    }
  };
  TornDisk torn(cut);
  disk = &torn;
  const DiskVfs vfs(kVfs, torn);
  const Result<void> ran = run_scenario(scenario, store, kVfs, acknowledged);
  if (!ran) report(found, "the scenario with power cuts failed: " + ran.error().text());
}

/// Flips one bit of one of the files; its place, in words.
std::string flip_a_bit(const std::string& folder, Dice& dice) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.file_size() > 0) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const fs::path path = files[dice.next() % files.size()];
  const std::uint64_t bit = dice.next() % (fs::file_size(path) * 8);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(bit / 8));
  file.put(static_cast<char>(byte ^ (1 << (bit % 8))));
  return "bit " + std::to_string(bit) + " of " + path.filename().string();
}

void copy_store(const std::string& from, const std::string& to) {
  for (const char* name : {"inbox.db", "inbox.db-wal", "inbox.commits"}) {
    if (fs::exists(from + "/" + name)) fs::copy_file(from + "/" + name, to + "/" + name);
  }
  if (!fs::exists(from + "/history")) return;
  fs::create_directories(to + "/history");
  for (const fs::directory_entry& entry : fs::directory_iterator(from + "/history")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("-shm")) fs::copy_file(entry.path(), to + "/history/" + name);
  }
}

/// Whether a difference is the store's own words.
bool is_named(const std::string& difference) {
  for (const char* const words :
       {"corrupt: ", "do not balance", "as it was written", " failed: ", " can't be read: "}) {
    if (difference.find(words) != std::string::npos) return true;
  }
  return false;
}

void flip_bits(const Scenario& scenario, const WritePointsOptions& options, const std::string& folder,
               WritePoints& found) {
  const std::string store = empty_folder(folder + "/whole");
  const std::string copy = empty_folder(folder + "/copy");
  std::atomic<std::int64_t> acknowledged = 0;
  const Result<void> ran = run_scenario(scenario, store, "", acknowledged, [&] { copy_store(store, copy); });
  if (!ran) return report(found, "the scenario for flipped bits failed: " + ran.error().text());
  Dice dice(options.seed ^ 0xb17);
  const std::size_t steps = scenario.steps().size();
  for (std::size_t i = 0; i < options.flips; ++i) {
    const std::string flipped = empty_folder(folder + "/flipped");
    // The closed store has all in one file, its copy from before half of it in the WAL.
    copy_store(dice.chance(0.5) ? store : copy, flipped);
    const std::string where = flip_a_bit(flipped, dice);
    if (++found.flips % 500 == 0)
      std::fprintf(stderr, "%lld bits flipped ...\n", static_cast<long long>(found.flips));
    // A bit of the last unsynced frames takes them away, as a power cut may.
    const Finding finding = examine(scenario, flipped, scenario.durable(steps), steps);
    if (!finding.opened) {
      ++found.flips_refused;
    } else if (finding.difference.empty()) {
      ++found.flips_harmless;
    } else if (is_named(finding.difference)) {
      ++found.flips_named;
    } else if (finding.difference.find("order gap") != std::string::npos ||
               finding.difference.starts_with("history: ")) {
      ++found.flips_unnoticed;
    } else {
      report(found, where + " flipped, and nothing says so: " + finding.difference);
    }
  }
}

}  // namespace

WritePoints prove_write_points(const WritePointsOptions& options, const std::string& folder) {
  WritePoints found;
  const Scenario scenario(options.seed, options.steps);
  for (const auto check : {check_rollback, check_reserve}) {
    const std::string wrong = check(scenario, empty_folder(folder + "/odd"));
    if (!wrong.empty()) report(found, wrong);
  }
  std::int64_t point = 1;
  while (found.problems.size() < kMostProblems && die_at(scenario, folder, point, found)) {
    if (point++ % 100 == 0)
      std::fprintf(stderr, "died at %lld writes ...\n", static_cast<long long>(point - 1));
  }
  found.writes = point - 1;
  std::fprintf(stderr, "%lld writes; now power cuts ...\n", static_cast<long long>(found.writes));
  if (found.problems.size() < kMostProblems) cut_power(scenario, options, folder, found);
  if (found.problems.size() < kMostProblems) flip_bits(scenario, options, folder, found);
  return found;
}

int run_write_points(const WritePointsOptions& options) {
  // What the machine's own disk keeps does not matter here: in memory it goes faster.
  const fs::path memory = "/dev/shm";
  const fs::path place = ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
  std::string folder = (place / "tgkeep-writes-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    std::fprintf(stderr, "tgkeep: no temporary folder can be made in %s\n", folder.c_str());
    return 2;
  }
  const WritePoints found = prove_write_points(options, folder);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  for (const std::string& problem : found.problems) std::fprintf(stderr, "  - %s\n", problem.c_str());
  boost::json::object line;
  line["writes"] = found.writes;
  line["deaths"] = found.deaths;
  line["power_cuts"] = found.power_cuts;
  line["lost_unsynced"] = found.lost_unsynced;
  line["flips"] = found.flips;
  line["flips_harmless"] = found.flips_harmless;
  line["flips_refused"] = found.flips_refused;
  line["flips_named"] = found.flips_named;
  line["flips_unnoticed"] = found.flips_unnoticed;
  line["problems"] = found.problems.size();
  line["seed"] = options.seed;
  std::printf("%s\n", boost::json::serialize(line).c_str());
  std::fprintf(stderr, "%s\n", found.problems.empty() ? "Nothing was lost at any write." : "FAILED");
  return found.problems.empty() ? 0 : 1;
}

}  // namespace tgkeep::prove
