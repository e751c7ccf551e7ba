// P6: handlers that run past their timeout.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

TEST(Runner, P6_a_handler_that_ends_at_its_timeout_failed_and_is_tried_again) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) { return Script(item.attempt == 1 ? 1h : 0s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(10min + 1s);
  EXPECT_EQ(bench.times("abort 1"), 1);
  EXPECT_NE(bench.store.settled.at(0).error.find("timed out after 600 s"), std::string::npos);
  EXPECT_EQ(bench.times("end 1"), 1);
  EXPECT_EQ(bench.runner->stats().timed_out, 1);
}

TEST(Runner, P6_a_timeout_of_for_ever_is_none) {
  RunnerOptions options;
  options.timeout = Duration::max();
  RunnerBench bench(options);
  bench.sink.script = [](const Item&) { return Script(1000h, Outcome::done()); };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(1000h);
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "end 1"}));
}

TEST(Runner, P6_one_that_ignores_its_timeout_keeps_its_chat_gives_its_slot_back_and_is_shown) {
  RunnerOptions options;
  options.limit = 1;
  RunnerBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script;
    if (item.update_id == UpdateId(1)) {
      script.takes = 100h;
      script.deaf = true;
    }
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.put(3, {"b"});
  bench.start();
  EXPECT_EQ(bench.times("start 3"), 0);
  bench.pass(10min);
  EXPECT_EQ(bench.times("end 3"), 1);
  EXPECT_EQ(bench.times("start 2"), 0);
  const auto snapshot = bench.runner->snapshot();
  ASSERT_EQ(snapshot.size(), 1U);
  EXPECT_TRUE(snapshot[0].stuck);
  EXPECT_EQ(snapshot[0].update_id, UpdateId(1));
  EXPECT_EQ(snapshot[0].key, "chat:a");
  EXPECT_EQ(snapshot[0].running, Duration(10min));
  EXPECT_EQ(bench.runner->stats().stuck, 1U);
}

TEST(Runner, P6_too_many_stuck_handlers_pause_delivery) {
  RunnerOptions options;
  options.max_stuck = 2;
  RunnerBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id.value() <= 2 ? 100h : 0s, Outcome::done());
    script.deaf = true;
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.start();
  bench.pass(10min);
  bench.put(3, {"c"});
  bench.pass(1h);
  EXPECT_EQ(bench.times("start 3"), 0);
  EXPECT_TRUE(bench.runner->stats().paused);
}

// The case: one chat of 1000 hangs for ever.
TEST(Runner, P6_one_suspended_chat_of_1000_leaves_the_other_999_in_order_and_progress) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    Script script(10ms, Outcome::done());
    if (item.keys[0] == "chat:0") {
      script.takes = 1000h;
      script.deaf = true;
    }
    return script;
  };
  std::vector<Update> updates;
  for (std::int64_t id = 0; id < 5000; ++id) {
    updates.push_back(make_update(id, {std::to_string(id % 1000)}, bench.clock.wall()));
  }
  bench.put(std::move(updates));
  bench.start();
  bench.pass(1s);
  EXPECT_EQ(bench.counts().inbox.done, 999 * 5);
  std::map<std::string, std::int64_t> last;
  for (const auto& delivery : bench.sink.deliveries) {
    const std::string& key = delivery->item.keys[0];
    EXPECT_TRUE(!last.contains(key) || last[key] < delivery->item.update_id.value());
    last[key] = delivery->item.update_id.value();
  }
}

}  // namespace
}  // namespace tgkeep::test
