// Handlers that hang, fail late or throw, and what the embedder is told.

#include <gtest/gtest.h>

#include "rooms/runner/direct_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

/// Notes what on_error and on_timeout were told.
class Told {
 public:
  explicit Told(DirectOptions& options) {
    options.on_error = [this](const DeliveryFailure& failure) {
      const std::string id = std::to_string(failure.delivery->item.update_id.value());
      lines.push_back((failure.late ? "late error " : "error ") + id + ": " + failure.error);
      had_exception.push_back(failure.exception != nullptr);
    };
    options.on_timeout = [this](const InFlight& overdue) {
      EXPECT_TRUE(overdue.stuck);
      lines.push_back("timeout " + std::to_string(overdue.update_id.value()) + " of " + overdue.key);
    };
  }
  std::vector<std::string> lines;
  std::vector<bool> had_exception;
};

TEST(DirectRunner, M5_a_timed_out_handler_is_cancelled_reported_and_gives_its_slot_to_the_next) {
  DirectOptions options = DirectOptions::sequential();
  Told told(options);
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(1) ? 1h : 1s, Outcome::done());
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.pass(10min + 1s);
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "abort 1", "start 2", "end 2"}));
  ASSERT_EQ(told.lines.size(), 2U);
  EXPECT_EQ(told.lines[0], "timeout 1 of chat:a");
  EXPECT_TRUE(told.lines[1].starts_with("late error 1: timed out after 600 s: ")) << told.lines[1];
  EXPECT_TRUE(told.had_exception[0]);
  const RunnerStats stats = bench.runner->stats();
  EXPECT_EQ(stats.timed_out, 1);
  EXPECT_EQ(stats.dead, 1);
  EXPECT_EQ(stats.done, 1);
  EXPECT_EQ(stats.running, 0U);
}

TEST(DirectRunner, M5_one_that_found_no_thread_in_its_time_never_began_and_is_handled_later) {
  DirectBench bench;
  int times = 0;
  bench.sink.script = [&times](const Item&) {
    const bool no_thread = ++times == 1;
    return Script(1s, no_thread ? Outcome::postpone(Duration::zero(), "no thread") : Outcome::done());
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.pass(10s);
  EXPECT_EQ(bench.sink.trace,
            (std::vector<std::string>{"start 1", "end 1", "start 1", "end 1", "start 2", "end 2"}));
  EXPECT_EQ(bench.sink.deliveries.at(1)->item.starts, 0U);
  EXPECT_EQ(bench.runner->stats().done, 2);
  EXPECT_EQ(bench.runner->stats().dead, 0);
}

TEST(DirectRunner, M5_one_that_ignores_its_timeout_keeps_its_key_but_no_slot_until_it_ends) {
  DirectOptions options = DirectOptions::sequential();
  Told told(options);
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script(1s, Outcome::done());
    if (item.update_id == UpdateId(1)) {
      script.takes = 1h;
      script.deaf = true;
      script.deaf_for = 30min;
    }
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.put(3, {"b"});
  bench.start();
  bench.pass(10min + 2s);
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "start 3", "end 3"}));
  const auto snapshot = bench.runner->snapshot();
  ASSERT_EQ(snapshot.size(), 1U);
  EXPECT_TRUE(snapshot[0].stuck);
  EXPECT_EQ(snapshot[0].running, Duration(10min + 2s));
  EXPECT_EQ(bench.runner->stats().stuck, 1U);
  EXPECT_EQ(bench.runner->size(), 1U);
  bench.pass(30min);
  EXPECT_EQ(bench.times("end 2"), 1);
  EXPECT_EQ(told.lines, std::vector<std::string>{"timeout 1 of chat:a"}) << "late, but done";
  EXPECT_EQ(bench.runner->stats().done, 3);
}

// Measured with grammY's runner: a rejection after the timeout ends the process, its error handler uncalled.
TEST(DirectRunner, M5_a_late_failure_is_reported_and_ends_nothing) {
  DirectOptions options;
  options.timeout = 1500ms;
  Told told(options);
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id == UpdateId(1) ? 1h : 1s, Outcome::done());
    script.deaf = true;
    script.deaf_for = 5s;
    script.throws = item.update_id == UpdateId(1);
    return script;
  };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(10s);
  bench.put(2, {"a"});
  bench.pass(10s);
  EXPECT_EQ(told.lines,
            (std::vector<std::string>{"timeout 1 of chat:a", "late error 1: timed out after 1.5 s: boom"}));
  EXPECT_TRUE(bench.runner->is_running());
  EXPECT_EQ(bench.times("end 2"), 1);
}

TEST(DirectRunner, M5_failures_are_reported_logged_and_not_tried_again) {
  DirectOptions options;
  Told told(options);
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script;
    script.throws = item.update_id == UpdateId(1);
    if (item.update_id == UpdateId(2)) script.outcome = Outcome::retry_after(1s, "not now");
    if (item.update_id == UpdateId(3)) script.outcome = Outcome::dead("spam", "no good");
    if (item.update_id == UpdateId(4)) script.outcome.calls.emplace_back("sendMessage", "{}");
    return script;
  };
  for (std::int64_t id = 1; id <= 5; ++id) bench.put(id, {"a"});
  bench.start();
  bench.pass(1h);
  EXPECT_EQ(bench.times("start 1") + bench.times("start 2"), 2);
  ASSERT_EQ(told.lines.size(), 4U);
  EXPECT_EQ(told.lines[0], "error 1: boom");
  EXPECT_EQ(told.lines[1], "error 2: not now");
  EXPECT_EQ(told.lines[2], "error 3: no good");
  EXPECT_NE(told.lines[3].find("without a store they have nowhere to go"), std::string::npos);
  EXPECT_EQ(told.had_exception, (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(bench.logged("update_failed"), 4U);
  EXPECT_EQ(bench.runner->stats().dead, 4);
  EXPECT_EQ(bench.runner->stats().done, 1);
}

TEST(DirectRunner, M5_what_the_embedder_s_own_handlers_throw_is_logged_and_changes_nothing) {
  DirectOptions options;
  options.timeout = 1s;
  options.on_error = [](const DeliveryFailure&) { throw std::runtime_error("mine"); };
  options.on_timeout = [](const InFlight&) { throw 7; };
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(1) ? 1h : 0s, Outcome::done());
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.pass(2s);
  EXPECT_EQ(bench.logged("callback_failed"), 2U);
  EXPECT_EQ(bench.times("end 2"), 1);
}

TEST(DirectRunner, unreadable_updates_of_a_supplier_are_reported_and_left_out) {
  DirectOptions options;
  Told told(options);
  DirectBench bench(options);
  bench.supplier = [&](std::size_t) -> asio::awaitable<std::optional<std::vector<Update>>> {
    std::optional<std::vector<Update>> batch(std::in_place);
    batch->push_back(make_update(1, {"a"}, bench.clock.wall()));
    batch->back().unreadable = "cut off in the middle";
    co_await loop::sleep_for(bench.clock, 1h);
    co_return batch;
  };
  bench.start();
  bench.pass(1h);
  EXPECT_EQ(told.lines, std::vector<std::string>{"error 1: unreadable: cut off in the middle"});
  EXPECT_TRUE(bench.sink.trace.empty());
}

// Measured with grammY's runner: after 500 handlers that never end it is deaf for ever, the process healthy.
TEST(DirectRunner, M5_hung_handlers_do_not_make_it_deaf) {
  DirectBench bench;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id.value() <= 500 ? 1000h : 1s, Outcome::done());
  };
  for (std::int64_t id = 1; id <= 700; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(10min);
  EXPECT_EQ(bench.times("start 501"), 1);
  bench.pass(2s);
  EXPECT_EQ(bench.runner->stats().done, 200);
  EXPECT_EQ(bench.runner->stats().timed_out, 500);
}

TEST(DirectRunner, M5_too_many_that_ignore_their_timeout_pause_it_and_say_so) {
  DirectOptions options;
  options.max_stuck = 2;
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id.value() <= 2 ? 100h : 0s, Outcome::done());
    script.deaf = true;
    script.deaf_for = 1h;
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.start();
  bench.pass(10min);
  EXPECT_TRUE(bench.runner->stats().paused);
  EXPECT_EQ(bench.logged("delivery_paused"), 1U);
  bench.put(3, {"c"});
  bench.pass(30min);
  EXPECT_EQ(bench.times("start 3"), 0);
  bench.pass(31min);
  EXPECT_EQ(bench.times("end 3"), 1) << "they have ended at last";
  EXPECT_FALSE(bench.runner->stats().paused);
}

}  // namespace
}  // namespace tgkeep::test
