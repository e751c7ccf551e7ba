// A runner without a store, paused by a person.

#include <gtest/gtest.h>

#include "rooms/runner/direct_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;
using Trace = std::vector<std::string>;

TEST(DirectRunnerPause, nothing_is_asked_for_or_started_until_resume_and_what_runs_ends) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(5s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.runner->pause();
  const std::size_t asked = bench.line.limits.size();
  bench.put(3, {"b"});
  bench.pass(1h);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "end 1"}));
  EXPECT_LE(bench.line.limits.size(), asked) << "the call that was under way is the last";
  EXPECT_TRUE(bench.runner->stats().suspended);
  bench.runner->resume();
  bench.pass(5s);
  EXPECT_FALSE(bench.runner->stats().suspended);
  EXPECT_EQ(bench.runner->stats().done, 3);
}

TEST(DirectRunnerPause, it_outlasts_a_stop_and_a_start) {
  DirectBench bench;
  bench.put(1, {"a"});
  bench.start();
  bench.runner->pause();
  bench.stop(1s);
  bench.put(2, {"b"});
  bench.start();
  bench.pass(1h);
  EXPECT_EQ(bench.times("start 2"), 0);
  bench.stop(1s);
  bench.runner->resume();
  bench.start();
  bench.pass(1s);
  EXPECT_EQ(bench.times("end 2"), 1);
}

TEST(DirectRunnerPause, the_end_of_the_supply_waits_for_resume) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.line.end();
  bench.start();
  bench.runner->pause();
  bench.pass(1h);
  EXPECT_TRUE(bench.runner->is_running());
  EXPECT_EQ(bench.times("start 2"), 0);
  bench.runner->resume();
  bench.pass(1s);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.runner->stats().done, 2);
}

TEST(DirectRunnerPause, a_stop_while_paused_ends_at_once_and_keeps_what_waits) {
  DirectBench bench;
  bench.options.limit = 1;
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.start();
  bench.runner->pause();
  bench.pass(1min);
  const StopReport report = bench.stop(30s);
  EXPECT_EQ(report.cut_off, 0U);
  EXPECT_EQ(bench.runner->stats().done, 1);
}

}  // namespace
}  // namespace tgkeep::test
