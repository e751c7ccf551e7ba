#include "prove/prove.hpp"

#include <stdlib.h>

#include <boost/asio/signal_set.hpp>
#include <boost/json.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "loop/real_clock.hpp"
#include "loop/run_to_end.hpp"
#include "prove/torment.hpp"

namespace tgkeep::prove {

namespace fs = std::filesystem;

namespace {

constexpr int kPassed = 0;
constexpr int kFailed = 1;
constexpr int kWrong = 2;
constexpr double kMinutesForAll = 1;
// Shorter ones would hardly begin.
constexpr double kSecondsOfOne = 3;

/// All workloads together.
class Total {
 public:
  Total() = default;
  Promises promises;
  Strikes strikes;
  std::int64_t updates = 0;
  std::int64_t handled = 0;
  std::int64_t repeated = 0;
  std::int64_t calls = 0;
  std::int64_t kills = 0;
  std::int64_t workloads = 0;
  std::array<std::int64_t, static_cast<std::size_t>(Told::count_)> told{};  ///< of calls through the face
  bool interrupted = false;
};

Result<std::string> make_folder(const std::string& wanted) {
  std::error_code error;
  std::string path = wanted;
  if (wanted.empty()) {
    path = (fs::temp_directory_path(error) / "tgkeep-prove-XXXXXX").string();
    if (!error && ::mkdtemp(path.data()) != nullptr) return path;
  } else if (fs::create_directories(wanted, error); !error && fs::is_empty(wanted, error)) {
    return path;
  }
  return Error(Errc::bad_config, "the folder " + path + " can't be used: name an empty one");
}

void torment(TormentOptions options, Total& total) {
  asio::io_context io(1);
  loop::RealClock clock(io.get_executor());
  Torment one(io, clock, std::move(options));
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    total.interrupted = true;
    one.interrupt();
  });
  loop::run_to_end(io, one.run());
  total.promises.add(one.promises());
  total.strikes.add(one.strikes());
  total.updates += one.checker().sent();
  total.handled += one.checker().handled();
  total.repeated += one.checker().repeated();
  total.calls += one.checker().calls() + one.face_calls().made();
  for (std::size_t i = 0; i < total.told.size(); ++i)
    total.told[i] += one.face_calls().told(static_cast<Told>(i));
  total.kills += one.kills();
  ++total.workloads;
}

std::vector<Workload> chosen(const ProveOptions& options) {
  if (options.workload.empty() && options.face) return {kFaceWorkloads.begin(), kFaceWorkloads.end()};
  if (options.workload.empty()) return {kWorkloads.begin(), kWorkloads.end()};
  const std::optional<Workload> one = find_workload(options.workload);
  return one ? std::vector<Workload>{*one} : std::vector<Workload>{};
}

Total run_all(const ProveOptions& options, const std::string& program, const std::string& folder) {
  Total total;
  const std::vector<Workload> workloads = chosen(options);
  const double seconds =
      std::max(kSecondsOfOne, options.minutes * 60 / static_cast<double>(workloads.size()));
  for (const Workload& workload : workloads) {
    if (total.interrupted) break;
    std::fprintf(stderr, "%s: tormented for %.0f s ...\n", std::string(workload.name).c_str(), seconds);
    TormentOptions one(workload);
    one.lasts = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    one.seed = options.seed * 100 + static_cast<std::uint64_t>(total.workloads);
    one.time_scale = options.time_scale;
    one.program = program;
    one.folder = folder + "/" + std::string(workload.name);
    fs::create_directories(one.folder);
    const std::size_t before = total.promises.problems().size();
    torment(std::move(one), total);
    const bool kept = total.promises.problems().size() == before;
    for (std::size_t i = before; i < total.promises.problems().size(); ++i)
      std::fprintf(stderr, "  - %s\n", total.promises.problems()[i].c_str());
    std::fprintf(stderr, "%s: %s; so far %lld updates, %lld kills\n", std::string(workload.name).c_str(),
                 kept ? "every promise kept" : "PROMISES BROKEN", static_cast<long long>(total.updates),
                 static_cast<long long>(total.kills));
  }
  return total;
}

boost::json::object to_json(const ProveOptions& options, const Total& total, double seconds) {
  boost::json::object nemeses;
  for (std::size_t i = 0; i < kNemeses; ++i) {
    const auto nemesis = static_cast<Nemesis>(i);
    nemeses[to_string(nemesis)] = total.strikes.of(nemesis);
  }
  boost::json::object violations;
  for (std::size_t i = 0; i < kPromises; ++i) {
    const auto promise = static_cast<Promise>(i);
    violations[to_string(promise)] = total.promises.violations(promise);
  }
  boost::json::object told;
  for (std::size_t i = 0; i < total.told.size(); ++i) told[to_string(static_cast<Told>(i))] = total.told[i];
  boost::json::object line;
  line["updates"] = total.updates;
  line["handled"] = total.handled;
  line["repeated"] = total.repeated;
  line["calls"] = total.calls;
  line["kills"] = total.kills;
  line["workloads"] = total.workloads;
  line["seconds"] = seconds;
  line["seed"] = options.seed;
  if (options.face) line["told"] = std::move(told);
  line["nemeses"] = std::move(nemeses);
  line["violations"] = std::move(violations);
  return line;
}

bool report(const ProveOptions& options, const Total& total, double seconds) {
  bool passed = total.promises.all_kept() && !total.interrupted;
  const bool all = options.workload.empty() && options.minutes >= kMinutesForAll;
  for (std::size_t i = 0; i < kNemeses; ++i) {
    const auto nemesis = static_cast<Nemesis>(i);
    const std::string name(to_string(nemesis));
    std::printf("%-24s %lld\n", name.c_str(), static_cast<long long>(total.strikes.of(nemesis)));
    if (!all || total.strikes.of(nemesis) > 0) continue;
    std::fprintf(stderr, "  - %s never struck: nothing is proved about it\n", name.c_str());
    passed = false;
  }
  std::printf("%s\n", boost::json::serialize(to_json(options, total, seconds)).c_str());
  std::fflush(stdout);
  return passed;
}

}  // namespace

int run_prove(const ProveOptions& options) {
  const Result<std::string> folder = make_folder(options.folder);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!folder || error || chosen(options).empty()) {
    std::fprintf(stderr, "tgkeep: %s\n",
                 !folder ? folder.error().text().c_str()
                 : error ? "prove can't find its own program"
                         : "there is no such workload");
    return kWrong;
  }
  const auto began = std::chrono::steady_clock::now();
  const Total total = run_all(options, program.string(), *folder);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (report(options, total, took.count())) {
    if (options.folder.empty()) fs::remove_all(*folder, error);
    std::fputs("Every promise was kept.\n", stderr);
    return kPassed;
  }
  std::fprintf(stderr, "FAILED; seed %llu. Stores and logs are kept in %s\n",
               static_cast<unsigned long long>(options.seed), folder->c_str());
  return kFailed;
}

}  // namespace tgkeep::prove
