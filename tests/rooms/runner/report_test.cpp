// What an embedder is told of attempts that fail and deliveries that take too long; and batches.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;
using Trace = std::vector<std::string>;

TEST(Runner, M5_every_failed_attempt_is_reported_with_its_update_and_attempt) {
  RunnerBench bench;
  Trace told;
  bench.options.on_error = [&](const DeliveryFailure& failure) {
    told.push_back(std::to_string(failure.delivery->item.update_id.value()) + " attempt " +
                   std::to_string(failure.delivery->item.attempt) + ": " + failure.error +
                   (failure.exception ? " (thrown)" : "") + (failure.late ? " (late)" : ""));
  };
  bench.sink.script = [](const Item& item) {
    Script script;
    script.throws = item.update_id == UpdateId(1) && item.attempt == 1;
    if (item.update_id == UpdateId(2) && item.attempt == 1) script.outcome = Outcome::retry("not yet");
    if (item.update_id == UpdateId(3)) script.outcome = Outcome::dead("spam", "no good");
    if (item.update_id == UpdateId(4) && item.starts == 0) script.outcome = Outcome::postpone(1s, "no room");
    return script;
  };
  for (std::int64_t id = 1; id <= 4; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(told, (Trace{"1 attempt 1: boom (thrown)", "2 attempt 1: not yet", "3 attempt 1: no good"}));
  EXPECT_EQ(bench.counts().inbox.done, 3);
}

TEST(Runner, M5_a_timeout_is_reported_when_it_passes_and_the_late_failure_when_it_comes) {
  RunnerBench bench;
  Trace told;
  bench.options.on_timeout = [&](const InFlight& overdue) {
    EXPECT_TRUE(overdue.stuck);
    EXPECT_EQ(overdue.running, Duration(10min));
    told.push_back("timeout of " + overdue.key);
  };
  bench.options.on_error = [&](const DeliveryFailure& failure) {
    EXPECT_TRUE(failure.late);
    told.push_back(failure.error);
  };
  bench.sink.script = [](const Item& item) {
    Script script(item.attempt == 1 ? 1h : 0s, Outcome::done());
    script.deaf = true;
    script.deaf_for = 5min;
    script.throws = item.attempt == 1;
    return script;
  };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(14min);
  EXPECT_EQ(told, Trace{"timeout of chat:a"});
  bench.pass(2min);
  EXPECT_EQ(told, (Trace{"timeout of chat:a", "timed out after 600 s: boom"}));
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, M5_what_the_embedder_s_own_handlers_throw_changes_nothing) {
  RunnerBench bench;
  bench.options.timeout = 1s;
  bench.options.on_error = [](const DeliveryFailure&) { throw std::runtime_error("mine"); };
  bench.options.on_timeout = [](const InFlight&) { throw 7; };
  bench.sink.script = [](const Item& item) { return Script(item.attempt == 1 ? 1h : 0s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, M5_what_a_stop_cuts_off_has_not_failed) {
  RunnerBench bench;
  int told = 0;
  bench.options.on_error = [&](const DeliveryFailure&) { ++told; };
  bench.sink.script = [](const Item&) { return Script(1min, Outcome::done()); };
  bench.put(1, {"a"});
  bench.start();
  EXPECT_EQ(bench.stop(1s).cut_off, 1U);
  EXPECT_EQ(told, 0);
}

TEST(Runner, M2_in_batches_the_next_ones_start_only_when_all_before_have_ended) {
  RunnerOptions options;
  options.limit = 300;
  options.in_batches = true;
  RunnerBench bench(options);
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(7) ? 1min : 1s, Outcome::done());
  };
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 400; ++id)
    updates.push_back(make_update(id, {std::to_string(id)}, bench.clock.wall()));
  bench.put(std::move(updates));
  bench.start();
  bench.pass(59s);
  EXPECT_EQ(bench.sink.most_running, 300U);
  EXPECT_EQ(bench.sink.deliveries.size(), 300U);
  bench.pass(1s);
  EXPECT_EQ(bench.sink.deliveries.size(), 400U);
  bench.pass(1s);
  EXPECT_EQ(bench.counts().inbox.done, 400);
}

TEST(Runner, M2_one_that_ignores_its_timeout_does_not_hold_the_next_batch) {
  RunnerOptions options;
  options.in_batches = true;
  RunnerBench bench(options);
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id == UpdateId(1) ? 100h : 1s, Outcome::done());
    script.deaf = true;
    return script;
  };
  bench.put(1, {"a"});
  bench.start();
  bench.put(2, {"b"});
  bench.pass(5min);
  EXPECT_EQ(bench.times("start 2"), 0);
  bench.pass(5min + 1s);
  EXPECT_EQ(bench.times("end 2"), 1);
}

}  // namespace
}  // namespace tgkeep::test
