// P7: a target that fails as a whole is paused and probed, and that is nobody's failed attempt.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

Outcome failed() {
  Outcome outcome = Outcome::retry("502");
  outcome.target = Outcome::Target::failed;
  return outcome;
}

Outcome unreachable() {
  Outcome outcome = Outcome::postpone(0s, "connection refused");
  outcome.target = Outcome::Target::unreachable;
  return outcome;
}

TEST(Runner, P7_an_unreachable_target_is_probed_with_one_delivery_and_then_everything_goes_on) {
  RunnerBench bench;
  bool down = true;
  bench.sink.script = [&](const Item& item) {
    EXPECT_EQ(item.attempt, 1U);
    return Script(0s, down ? unreachable() : Outcome::done());
  };
  bench.put(1, {"a"});
  bench.start();
  for (std::int64_t id = 2; id <= 20; ++id) bench.put(id, {std::to_string(id)});
  bench.pass(500ms);
  EXPECT_EQ(bench.sink.deliveries.size(), 1U);
  EXPECT_TRUE(bench.runner->stats().target_paused);
  bench.pass(500ms);
  EXPECT_EQ(bench.sink.deliveries.size(), 2U) << "the probe";
  bench.pass(1h);
  EXPECT_LE(bench.sink.deliveries.size(), 130U) << "one probe each 30 s";
  down = false;
  bench.pass(30s);
  EXPECT_EQ(bench.counts().inbox.done, 20);
  EXPECT_FALSE(bench.runner->stats().target_paused);
}

TEST(Runner, P7_failures_of_a_paused_target_count_no_attempt_and_its_time_no_block) {
  RunnerOptions options;
  options.max_attempts = 12;
  RunnerBench bench(options);
  bool down = true;
  bench.sink.script = [&](const Item&) { return Script(0s, down ? failed() : Outcome::done()); };
  for (std::int64_t id = 1; id <= 12; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  EXPECT_TRUE(bench.runner->stats().target_paused);
  bench.pass(24h);
  EXPECT_TRUE(bench.counts().inbox.dead.empty());
  for (const auto& delivery : bench.sink.deliveries) EXPECT_LE(delivery->item.attempt, 3U);
  down = false;
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 12);
}

TEST(Runner, P5_P7_what_was_in_flight_when_the_target_failed_comes_again_marked_as_repeated) {
  RunnerBench bench;
  bool down = true;
  bench.sink.script = [&](const Item&) { return Script(1s, down ? failed() : Outcome::done()); };
  for (std::int64_t id = 1; id <= 30; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(1min);
  down = false;
  bench.sink.deliveries.clear();
  bench.pass(2min);
  EXPECT_EQ(bench.counts().inbox.done, 30);
  for (const auto& delivery : bench.sink.deliveries) EXPECT_GT(delivery->item.attempt, 1U);
}

TEST(Runner, P6_P7_max_block_does_not_run_while_the_target_is_paused) {
  RunnerBench bench;
  bool down = false;
  bench.sink.script = [&](const Item& item) {
    if (down) return Script(0s, unreachable());
    return Script(0s, item.update_id == UpdateId(1) ? failed() : Outcome::done());
  };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(5min);
  down = true;
  bench.pass(2h);
  down = false;
  bench.pass(5min);
  EXPECT_TRUE(bench.counts().inbox.dead.empty()) << "ten minutes of its own so far";
  bench.pass(10min);
  EXPECT_EQ(bench.counts().inbox.dead.size(), 1U);
}

}  // namespace
}  // namespace tgkeep::test
