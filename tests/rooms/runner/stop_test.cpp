// P9: stopping and starting again.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

TEST(Runner, P9_a_stop_lets_what_runs_finish_and_starts_nothing_more) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(5s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  EXPECT_EQ(bench.stop(30s).cut_off, 0U);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.times("end 1"), 1);
  EXPECT_EQ(bench.times("start 2"), 0);
  EXPECT_EQ(bench.counts().inbox.done, 1);
  EXPECT_EQ(bench.counts().inbox.pending, 1);
}

TEST(Runner, P9_what_does_not_finish_within_the_drain_is_given_back_uncounted) {
  RunnerBench bench;
  bench.options.timeout = 100h;
  bench.sink.script = [](const Item& item) {
    Script script(1h, Outcome::done());
    script.deaf = item.update_id == UpdateId(2);
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.start();
  EXPECT_EQ(bench.stop(30s).cut_off, 2U);
  EXPECT_EQ(bench.counts().inbox.pending, 2);
  bench.sink.script = [](const Item& item) {
    EXPECT_EQ(item.attempt, 1U);
    EXPECT_EQ(item.crashes, 0U);
    EXPECT_EQ(item.starts, 1U) << "so the handler is told that it may repeat";
    return Script();
  };
  bench.start();
  EXPECT_EQ(bench.counts().inbox.done, 2);
}

TEST(Runner, P9_a_stop_while_everything_waits_for_a_retry_ends_at_once) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(0s, Outcome::retry_after(10h, "later")); };
  bench.put(1, {"a"});
  bench.start();
  const MonoTime before = bench.clock.mono();
  asio::co_spawn(bench.io, bench.runner->stop(30s), [](std::exception_ptr, StopReport) {});
  bench.pass(0s);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.clock.mono(), before);
  EXPECT_EQ(bench.counts().inbox.retrying, 1);
}

TEST(Runner, P9_what_was_just_being_started_when_a_stop_came_is_given_back_and_started_again_later) {
  RunnerBench bench;
  bench.store.hold_begin();
  bench.put(1, {"a"});
  bench.start();
  bool stopped = false;
  asio::co_spawn(bench.io, bench.runner->stop(30s), [&](std::exception_ptr, StopReport) { stopped = true; });
  bench.pass(1s);
  EXPECT_FALSE(stopped) << "the store has it in flight";
  bench.store.release_begin();
  bench.pass(0s);
  EXPECT_TRUE(stopped);
  EXPECT_EQ(bench.times("start 1"), 0);
  EXPECT_EQ(bench.counts().inbox.pending, 1);
  bench.start();
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, P9_P10_endings_that_found_no_room_before_a_stop_are_written_by_the_next_start) {
  RunnerBench bench;
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.store.fail_settle = Error(Errc::store_full, "no space left");
  bench.start();
  bench.stop(1s);
  EXPECT_EQ(bench.counts().inbox.in_flight, 1);
  bench.store.fail_settle.reset();
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 2);
  EXPECT_EQ(bench.times("start 1"), 1);
}

TEST(Runner, P9_stop_is_safe_before_start_and_twice) {
  RunnerBench bench;
  bench.runner = make_runner(bench.io.get_executor(), bench.clock, bench.store, Queue::inbox, bench.sink,
                             bench.options, Log());
  EXPECT_EQ(bench.stop(1s).cut_off, 0U);
  bench.start();
  int ended = 0;
  for (int i = 0; i < 2; ++i) {
    asio::co_spawn(bench.io, bench.runner->stop(1s), [&](std::exception_ptr, StopReport) { ++ended; });
  }
  bench.pass(0s);
  EXPECT_EQ(ended, 2);
  const auto result = run(bench.io, bench.runner->wait());
  EXPECT_TRUE(result);
}

TEST(Runner, P9_it_can_be_stopped_and_started_a_hundred_times_without_loss) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(70ms, Outcome::done()); };
  bench.start();
  std::int64_t id = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 7; ++i) bench.put(++id, {std::to_string(id % 5)});
    bench.pass(100ms);
    bench.stop(round % 2 == 0 ? Duration(1s) : Duration(10ms));
    bench.start();
  }
  bench.pass(1h);
  EXPECT_EQ(bench.counts().inbox.done, 700);
  EXPECT_EQ(bench.counts().inbox.stored, 700);
}

}  // namespace
}  // namespace tgkeep::test
