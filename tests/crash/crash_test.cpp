// kill -9 and crashing handlers, with a real process and a real SQLite file (P3, P5, P7, P8, P12).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tgkeep/handouts.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "loop/real_clock.hpp"
#include "support/random.hpp"
#include "support/run.hpp"

namespace tgkeep::test {
namespace {

constexpr std::int64_t kChats = 40;

class CrashTest : public testing::Test {
 protected:
  CrashTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-crash-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~CrashTest() override {
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  pid_t spawn(std::int64_t updates, std::int64_t poison = -1) {
    std::vector<std::string> words{TGKEEP_CRASH_CHILD,      folder_ + "/store",     folder_ + "/log",
                                   std::to_string(updates), std::to_string(kChats), std::to_string(poison)};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t pid = -1;
    if (::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
      ADD_FAILURE() << "can't spawn";
    return pid;
  }

  static int wait(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

  /// Waits until the log has more than `count` lines and its last start is no suspect's, or the process has
  /// ended. A kill that meets a suspect alone is taken for its third crash, as it should be (P7).
  void wait_for_lines(pid_t pid, std::size_t count) const {
    for (;;) {
      const std::vector<std::string> all = lines();
      if (all.size() > count && !ends_with_suspect(all)) return;
      siginfo_t info{};
      ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid == pid) return;
      ::usleep(200);
    }
  }

  static bool ends_with_suspect(const std::vector<std::string>& lines) {
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      if (line->starts_with("life")) return true;  // who comes first is not known yet
      if (line->starts_with("start")) return line->back() >= '2';
    }
    return true;
  }

  std::vector<std::string> lines() const {
    std::ifstream file(folder_ + "/log");
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }

  /// First starts of a chat in order; nothing overlaps within a life.
  void expect_order() const {
    std::map<std::string, std::int64_t> last;
    std::map<std::string, std::int64_t> open;
    std::set<std::int64_t> seen;
    for (const std::string& line : lines()) {
      std::istringstream words(line);
      std::string what;
      std::int64_t id = 0;
      std::string key;
      words >> what >> id >> key;
      if (what == "life") open.clear();
      if (what == "end") open.erase(key);
      if (what != "start") continue;
      EXPECT_FALSE(open.contains(key)) << id << " beside " << open[key] << " in " << key;
      open[key] = id;
      if (!seen.insert(id).second) continue;
      EXPECT_LT(last[key], id) << "out of order in " << key;
      last[key] = id;
    }
  }

  /// Opens the store that no process owns any more.
  template <class Check>
  void inspect(Check check) {
    asio::io_context io;
    loop::RealClock clock(io.get_executor());
    auto store =
        store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder_ + "/store"), Log());
    ASSERT_TRUE(store) << store.error().text();
    const auto audit = run(io, (*store)->browser()->audit());
    EXPECT_TRUE(audit) << audit.error().text();
    const auto counts = run(io, (*store)->counts());
    ASSERT_TRUE(counts);
    const QueueCounts& inbox = counts->inbox;
    std::int64_t sum = inbox.pending + inbox.in_flight + inbox.retrying + inbox.done;
    for (const auto& [reason, count] : inbox.dead) sum += count;
    EXPECT_EQ(inbox.stored, sum);
    std::int64_t handled = 0;
    for (std::int64_t chat = 0; chat < kChats; ++chat) {
      const auto row =
          run(io, (*store)->browser()->state(BotId(42), "handled", "chat:" + std::to_string(chat)));
      ASSERT_TRUE(row);
      if (*row) handled += std::stoll(**row);
    }
    check(*counts, handled);
    expect_numbers(io, *(*store)->handouts());
  }

  /// What the log says was noted is known, and no number was given twice.
  void expect_numbers(asio::io_context& io, Handouts& book) const {
    std::map<std::int64_t, std::int64_t> noted;
    for (const std::string& line : lines()) {
      std::istringstream words(line);
      std::string what;
      std::int64_t number = 0;
      std::int64_t seq = 0;
      words >> what >> number >> seq;
      if (what != "number") continue;
      EXPECT_TRUE(noted.emplace(number, seq).second) << number << " was given twice";
    }
    const Result<PullId> last = run(io, book.last());
    ASSERT_TRUE(last);
    EXPECT_GE(last->value(), noted.empty() ? 0 : noted.rbegin()->first);
    for (const auto& [number, seq] : noted) {
      const auto found = run(io, book.find(PullId(number)));
      ASSERT_TRUE(found && *found) << number << " is not known after the crash";
      EXPECT_EQ((*found)->seq, Seq(seq));
    }
  }

  std::string folder_;
};

TEST_F(CrashTest, P3_P5_P8_P12_any_number_of_kills_loses_nothing_and_every_effect_is_exact) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  constexpr std::int64_t kUpdates = 2000;
  int kills = 0;
  for (;;) {
    const pid_t pid = spawn(kUpdates);
    if (kills < 12) {
      // Somewhere in its work; now and then at once, while it opens the store or puts.
      if (!random.chance(0.25)) {
        wait_for_lines(pid, lines().size() + static_cast<std::size_t>(random.between(1, 500)));
      }
      ::kill(pid, SIGKILL);
      ++kills;
      wait(pid);
      if (kills % 4 == 0) {
        inspect([&](const StoreCounts& counts, std::int64_t handled) {
          EXPECT_EQ(handled, counts.inbox.done) << "state rows are written with the settlement";
          EXPECT_EQ(counts.outbox.stored, counts.inbox.done) << "and so are the calls";
        });
      }
      continue;
    }
    ASSERT_EQ(wait(pid), 0);
    break;
  }
  inspect([&](const StoreCounts& counts, std::int64_t handled) {
    EXPECT_EQ(counts.inbox.stored, kUpdates);
    EXPECT_EQ(counts.inbox.done, kUpdates);
    EXPECT_EQ(handled, kUpdates);
    EXPECT_EQ(counts.outbox.stored, kUpdates);
  });
  expect_order();
}

TEST_F(CrashTest,
       P7_a_handler_that_ends_the_process_is_dead_lettered_after_three_crashes_and_takes_no_neighbour_along) {
  constexpr std::int64_t kUpdates = 300;
  constexpr std::int64_t kPoison = 77;
  int crashes = 0;
  for (; crashes < 10; ++crashes) {
    const int code = wait(spawn(kUpdates, kPoison));
    if (code == 0) break;
    ASSERT_EQ(code, -SIGABRT);
  }
  EXPECT_EQ(crashes, 3);
  inspect([&](const StoreCounts& counts, std::int64_t handled) {
    EXPECT_EQ(counts.inbox.dead, (std::map<std::string, std::int64_t>{{"crashed", 1}}));
    EXPECT_EQ(counts.inbox.done, kUpdates - 1);
    EXPECT_EQ(handled, kUpdates - 1);
  });
  expect_order();
  std::map<std::string, int> starts;
  for (const std::string& line : lines()) {
    if (line.starts_with("start")) ++starts[line.substr(0, line.find(' ', 6))];
  }
  EXPECT_EQ(starts["start 77"], 3);
  for (const auto& [start, count] : starts) EXPECT_LE(count, 3) << start;
}

}  // namespace
}  // namespace tgkeep::test
