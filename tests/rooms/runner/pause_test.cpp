// Paused by a person: nothing is started, what runs ends, and the time is nobody's.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;
using Trace = std::vector<std::string>;

Outcome unreachable() {
  Outcome outcome = Outcome::postpone(0s, "connection refused");
  outcome.target = Outcome::Target::unreachable;
  return outcome;
}

TEST(RunnerPause, P5_nothing_is_started_until_resume_and_what_runs_ends_and_is_settled) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(5s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.runner->pause();
  bench.put(3, {"b"});
  bench.pass(24h);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "end 1"}));
  EXPECT_EQ(bench.counts().inbox.done, 1);
  EXPECT_TRUE(bench.runner->stats().suspended);
  EXPECT_EQ(bench.runner->stats().heads, 2U);
  bench.runner->resume();
  bench.pass(0s);
  EXPECT_FALSE(bench.runner->stats().suspended);
  EXPECT_EQ(bench.times("start 2") + bench.times("start 3"), 2);
  bench.pass(5s);
  EXPECT_EQ(bench.counts().inbox.done, 3);
}

TEST(RunnerPause, P7_what_was_just_being_started_is_given_back_uncounted) {
  RunnerBench bench;
  bench.store.hold_begin();
  bench.put(1, {"a"});
  bench.start();
  bench.runner->pause();
  bench.store.release_begin();
  bench.pass(1s);
  EXPECT_TRUE(bench.sink.trace.empty());
  EXPECT_EQ(bench.counts().inbox.pending, 1);
  EXPECT_EQ(bench.counts().inbox.in_flight, 0);
  bench.sink.script = [](const Item& item) {
    EXPECT_EQ(item.attempt, 1U);
    return Script();
  };
  bench.runner->resume();
  bench.pass(0s);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(RunnerPause, P6_P7_max_block_does_not_run_while_paused) {
  RunnerBench bench;
  bench.options.max_attempts = 100;
  bench.sink.script = [](const Item&) { return Script(0s, Outcome::retry_after(1min, "later")); };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(5min);
  bench.runner->pause();
  bench.pass(10h);
  bench.runner->resume();
  bench.pass(5min);
  EXPECT_TRUE(bench.counts().inbox.dead.empty()) << "ten minutes of its own so far";
  bench.pass(10min);
  EXPECT_EQ(bench.counts().inbox.dead.size(), 1U);
}

TEST(RunnerPause, P7_a_target_that_is_paused_is_not_probed_meanwhile_and_both_pauses_count_once) {
  RunnerBench bench;
  bench.options.max_block = 10min;
  bench.options.max_attempts = 100;
  bool down = false;
  bench.sink.script = [&](const Item&) {
    return Script(0s, down ? unreachable() : Outcome::retry_after(1min, "later"));
  };
  bench.put(1, {"a"});
  bench.start();
  down = true;
  bench.pass(5min);
  EXPECT_TRUE(bench.runner->stats().target_paused);
  bench.runner->pause();
  const std::size_t probes = bench.sink.deliveries.size();
  bench.pass(10h);
  EXPECT_EQ(bench.sink.deliveries.size(), probes);
  down = false;
  bench.runner->resume();
  bench.pass(7min);
  EXPECT_FALSE(bench.runner->stats().target_paused);
  EXPECT_TRUE(bench.counts().inbox.dead.empty()) << "eight minutes of its own";
  bench.pass(5min);
  EXPECT_EQ(bench.counts().inbox.dead.at("max_block"), 1);
}

TEST(RunnerPause, P7_suspects_do_not_start_either_and_one_that_runs_is_renewed_when_its_window_is_over) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(1min, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.put(3, {"c"});
  bench.store.crashes = {{Seq(1), 2U}, {Seq(2), 2U}};
  bench.start();
  bench.pass(0s);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1"}));
  bench.runner->pause();
  bench.pass(30s);
  EXPECT_EQ(bench.store.renewed, (std::vector<Seq>{Seq(1)}));
  bench.pass(1h);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "end 1"}));
  bench.runner->resume();
  bench.pass(10min);
  EXPECT_EQ(bench.counts().inbox.done, 3);
}

TEST(RunnerPause, P9_it_outlasts_a_stop_and_a_start_and_neither_waits_for_it) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(5s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.start();
  bench.runner->pause();
  bench.put(2, {"a"});
  const MonoTime before = bench.clock.mono();
  EXPECT_EQ(bench.stop(30s).cut_off, 0U);
  EXPECT_LE(bench.clock.mono() - before, 10s);
  bench.start();
  bench.pass(1h);
  EXPECT_TRUE(bench.runner->stats().suspended);
  EXPECT_EQ(bench.times("start 2"), 0);
  EXPECT_EQ(bench.runner->stats().heads, 1U);
  bench.stop(1s);
  bench.runner->resume();
  bench.pass(1h);
  EXPECT_EQ(bench.times("start 2"), 0) << "it is stopped";
  bench.start();
  bench.pass(5s);
  EXPECT_EQ(bench.counts().inbox.done, 2);
}

TEST(RunnerPause, it_may_be_paused_before_it_starts_and_twice) {
  RunnerBench bench;
  bench.runner = make_runner(bench.io.get_executor(), bench.clock, bench.store, Queue::inbox, bench.sink,
                             bench.options, Log());
  bench.runner->resume();
  bench.runner->pause();
  bench.runner->pause();
  bench.put(1, {"a"});
  bench.start();
  bench.pass(1h);
  EXPECT_TRUE(bench.sink.trace.empty());
  bench.runner->resume();
  bench.pass(0s);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(RunnerPause, P10_a_full_disk_at_the_pause_leaves_nothing_in_flight) {
  RunnerBench bench;
  bench.put(1, {"a"});
  bench.store.fail_begin = Error(Errc::store_full, "no space left");
  bench.start();
  bench.runner->pause();
  bench.pass(1min);
  bench.store.fail_begin.reset();
  bench.pass(1min);
  EXPECT_TRUE(bench.sink.trace.empty());
  EXPECT_EQ(bench.counts().inbox.in_flight, 0);
  bench.runner->resume();
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(RunnerPause, P6_a_delivery_that_times_out_meanwhile_is_tried_again_after_it) {
  RunnerBench bench;
  bench.options.timeout = 10s;
  bench.sink.script = [](const Item& item) {
    return Script(item.attempt == 1 ? Duration(1h) : Duration(0s), Outcome::done());
  };
  bench.put(1, {"a"});
  bench.start();
  bench.runner->pause();
  bench.pass(1h);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "abort 1"}));
  EXPECT_EQ(bench.counts().inbox.retrying, 1);
  bench.runner->resume();
  bench.pass(0s);
  EXPECT_EQ(bench.counts().inbox.done, 1) << "its pause is over";
}

}  // namespace
}  // namespace tgkeep::test
