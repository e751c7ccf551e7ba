// P4, P7, P8, P10: what failures do.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

TEST(Runner, P4_P7_a_handler_that_throws_is_tried_again_with_growing_delays) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    Script script;
    script.throws = item.attempt < 3;
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  EXPECT_EQ(bench.times("start 1"), 1);
  EXPECT_EQ(bench.counts().inbox.retrying, 1);
  bench.pass(1s);
  EXPECT_EQ(bench.times("start 1"), 2);
  bench.pass(2s);
  EXPECT_EQ(bench.times("start 1"), 3);
  EXPECT_EQ(bench.times("end 2"), 1) << "its chat goes on only after it";
  EXPECT_EQ(bench.store.settled.at(0).error, "boom");
}

TEST(Runner, P7_the_last_attempt_ends_in_the_dead_letters_and_the_next_one_carries_the_gap) {
  RunnerOptions options;
  options.max_attempts = 3;
  RunnerBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script;
    script.throws = item.update_id == UpdateId(1);
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.put(3, {"a"});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.times("start 1"), 3);
  EXPECT_EQ(bench.counts().inbox.dead.at("attempts"), 1);
  ASSERT_EQ(bench.sink.deliveries.size(), 5U);
  EXPECT_TRUE(bench.sink.deliveries[3]->item.order_gap);
  EXPECT_FALSE(bench.sink.deliveries[4]->item.order_gap);
}

TEST(Runner, P6_a_failing_head_blocks_its_chat_for_max_block_at_most) {
  RunnerOptions options;
  options.max_attempts = 1000;
  RunnerBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script;
    script.throws = item.update_id == UpdateId(1);
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.pass(14min);
  EXPECT_EQ(bench.times("end 2"), 0);
  bench.pass(5min);
  EXPECT_EQ(bench.counts().inbox.dead.at("max_block"), 1);
  EXPECT_EQ(bench.times("end 2"), 1);
}

TEST(Runner, P4_retry_after_dead_and_postpone_are_obeyed) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    if (item.attempt > 1) return Script();
    if (item.update_id == UpdateId(1)) return Script(0s, Outcome::retry_after(20min, "busy"));
    if (item.update_id == UpdateId(2)) return Script(0s, Outcome::dead("banned", "user is banned"));
    return Script();
  };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.start();
  EXPECT_EQ(bench.counts().inbox.dead.at("banned"), 1);
  bench.pass(19min + 59s);
  EXPECT_EQ(bench.times("start 1"), 1);
  bench.pass(1s);
  EXPECT_EQ(bench.times("start 1"), 2);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, P7_a_postponed_item_counts_no_attempt) {
  RunnerBench bench;
  int calls = 0;
  bench.sink.script = [&](const Item& item) {
    EXPECT_EQ(item.attempt, 1U);
    return ++calls < 50 ? Script(0s, Outcome::postpone(30s, "not now")) : Script();
  };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(25min);
  EXPECT_EQ(calls, 50);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, P10_a_broken_store_ends_it_and_nothing_more_is_started) {
  RunnerBench bench;
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.store.fail_settle = Error(Errc::store_broken, "fsync failed");
  bench.start();
  EXPECT_EQ(bench.times("start 2"), 0);
  const auto result = run(bench.io, bench.runner->wait());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), Errc::store_broken);
  bench.put(3, {"b"});
  bench.pass(1h);
  EXPECT_EQ(bench.times("start 3"), 0);
  EXPECT_EQ(bench.counts().inbox.in_flight, 1) << "not settled, so handed over again after a restart";
}

TEST(Runner, P7_an_inbox_handler_that_says_doubt_has_failed) {
  RunnerOptions options;
  options.max_attempts = 3;
  RunnerBench bench(options);
  bench.sink.script = [](const Item&) { return Script(0s, Outcome::doubt("who knows")); };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(1h);
  EXPECT_EQ(bench.times("start 1"), 3);
  EXPECT_EQ(bench.counts().inbox.dead.at("attempts"), 1);
}

TEST(Runner, P10_a_full_disk_that_fails_a_read_is_waited_out_too) {
  RunnerBench bench;
  bench.store.fail_lease = Error(Errc::store_full, "no space left");
  bench.put(1, {"a"});
  bench.start();
  bench.pass(1min);
  EXPECT_TRUE(bench.runner->is_running());
  bench.store.fail_lease.reset();
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, P10_a_store_that_is_broken_from_the_start_ends_it) {
  RunnerBench bench;
  bench.store.fail_lease = Error(Errc::store_broken, "fsync failed");
  bench.start();
  const auto result = run(bench.io, bench.runner->wait());
  ASSERT_FALSE(result);
}

TEST(Runner, P10_a_full_disk_is_waited_out_and_nothing_is_lost) {
  RunnerBench bench;
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.store.fail_begin = Error(Errc::store_full, "no space left");
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.times("start 1"), 0);
  bench.store.fail_begin.reset();
  bench.store.fail_settle = Error(Errc::store_full, "no space left");
  bench.pass(1min);
  EXPECT_EQ(bench.times("start 1"), 1);
  EXPECT_EQ(bench.times("start 2"), 0);
  bench.store.fail_settle.reset();
  bench.pass(1min);
  EXPECT_EQ(bench.times("start 1"), 1) << "its outcome was kept";
  EXPECT_EQ(bench.counts().inbox.done, 2);
}

}  // namespace
}  // namespace tgkeep::test
