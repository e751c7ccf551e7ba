// From a supplier to a sink: the plug points, the three modes, room and order.

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/poll_supplier.hpp>

#include "rooms/runner/direct_bench.hpp"
#include "rooms/source/fake_api.hpp"
#include "rules/pacing.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

// A supplier over a vector and a lambda as consumer: no network, no store.
TEST(DirectRunner, M1_a_vector_and_a_lambda_are_a_whole_pipeline_that_ends_by_itself) {
  asio::io_context io;
  loop::VirtualClock clock;
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 250; ++id) updates.push_back(make_update(id, {"a"}, clock.wall()));
  bool given = false;
  UpdateSupplier supplier = [&](std::size_t limit) -> asio::awaitable<std::optional<std::vector<Update>>> {
    EXPECT_EQ(limit, 100U);
    std::optional<std::vector<Update>> batch;
    if (!std::exchange(given, true)) batch = std::move(updates);
    co_return batch;
  };
  std::vector<std::int64_t> seen;
  UpdateConsumer consumer = [&](Context context) -> asio::awaitable<void> {
    seen.push_back(context.update_id().value());
    EXPECT_EQ(context.kind(), "message");
    EXPECT_EQ(context.item().keys.at(0), "chat:a");
    EXPECT_FALSE(context.repeated());
    co_return;
  };
  const auto sink = sink::make_loop_sink(consumer);
  const auto runner = make_direct_runner(io.get_executor(), clock, supplier, *sink, DirectOptions(), Log());
  runner->start();
  const auto ended = run(io, runner->wait());
  EXPECT_TRUE(ended);
  EXPECT_FALSE(runner->is_running());
  ASSERT_EQ(seen.size(), 250U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(runner->stats().done, 250);
  EXPECT_EQ(runner->stats().heads, 0U);
}

std::vector<std::string> trace_of_300(DirectOptions options) {
  DirectBench bench(std::move(options));
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  for (std::int64_t id = 1; id <= 300; ++id) bench.put(id, {std::to_string(id)});
  bench.line.end();
  bench.start();
  bench.pass(1h);
  EXPECT_FALSE(bench.runner->is_running());
  return bench.sink.trace;
}

void add_lines(std::vector<std::string>& trace, const std::string& what, int first, int last) {
  for (int id = first; id <= last; ++id) trace.push_back(what + " " + std::to_string(id));
}

TEST(DirectRunner, M2_sequential_one_ends_before_the_next_starts) {
  std::vector<std::string> expected;
  for (int id = 1; id <= 300; ++id) {
    add_lines(expected, "start", id, id);
    add_lines(expected, "end", id, id);
  }
  EXPECT_EQ(trace_of_300(DirectOptions::sequential()), expected);
}

TEST(DirectRunner, M2_batch_what_was_supplied_together_runs_together_and_ends_before_the_next) {
  std::vector<std::string> expected;
  for (int first = 1; first <= 300; first += 100) {
    add_lines(expected, "start", first, first + 99);
    add_lines(expected, "end", first, first + 99);
  }
  EXPECT_EQ(trace_of_300(DirectOptions::batch()), expected);
}

TEST(DirectRunner, M2_batch_one_slow_update_holds_the_next_batch_but_not_its_own) {
  DirectBench bench(DirectOptions::batch(2));
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(1) ? 10s : 1s, Outcome::done());
  };
  for (std::int64_t id = 1; id <= 3; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(9s);
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "start 2", "end 2"}));
  EXPECT_EQ(bench.line.limits, std::vector<std::size_t>{2});
  bench.pass(10s);
  EXPECT_EQ(bench.times("end 3"), 1);
}

TEST(DirectRunner, M2_concurrent_all_start_at_once) {
  std::vector<std::string> expected;
  add_lines(expected, "start", 1, 300);
  add_lines(expected, "end", 1, 300);
  EXPECT_EQ(trace_of_300(DirectOptions::concurrent()), expected);
}

TEST(DirectRunner, M2_concurrent_never_more_than_its_limit) {
  DirectBench bench(DirectOptions::concurrent(7));
  bench.sink.script = [](const Item& item) { return Script(item.update_id.value() * 1ms, Outcome::done()); };
  for (std::int64_t id = 1; id <= 300; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.sink.most_running, 7U);
  EXPECT_EQ(bench.runner->stats().done, 300);
}

// Measured with grammY's runner: 500 hung handlers, and no getUpdates is ever made again.
TEST(DirectRunner, M3_stuck_handlers_stop_the_asking_and_one_free_slot_asks_for_one) {
  DirectBench bench;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(7) ? 1s : 9min, Outcome::done());
  };
  for (std::int64_t id = 1; id <= 1000; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  EXPECT_EQ(bench.line.limits, (std::vector<std::size_t>{100, 100, 100, 100, 100}));
  EXPECT_EQ(bench.runner->size(), 500U);
  bench.pass(1s);
  EXPECT_EQ(bench.line.limits, (std::vector<std::size_t>{100, 100, 100, 100, 100, 1}));
  EXPECT_EQ(bench.runner->size(), 500U);
}

TEST(DirectRunner, M3_a_getUpdates_carries_the_free_slots_as_its_limit) {
  DirectBench bench;
  Journal journal;
  FakeApi api(bench.clock, journal);
  std::int64_t id = 0;
  for (const int size : {100, 100, 100, 100, 100, 1}) {
    std::string answer;
    for (int i = 0; i < size; ++i) {
      const std::string number = std::to_string(++id);
      answer += (answer.empty() ? "[" : ",") +
                (R"({"update_id":)" + number + R"(,"message":{"chat":{"id":)") + number + "}}}";
    }
    api.updates(answer + "]");
  }
  bench.supplier = source::make_poll_supplier(bench.clock, api, source::LongPollOptions(BotId(42)), Log());
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(7) ? 1s : 9min, Outcome::done());
  };
  bench.start();
  const auto limits = [&] {
    std::vector<std::int64_t> all;
    for (const ApiRequest& request : api.requests) {
      if (request.method != "getUpdates") continue;
      all.push_back(boost::json::parse(request.params).at("limit").as_int64());
    }
    return all;
  };
  EXPECT_EQ(limits(), (std::vector<std::int64_t>{100, 100, 100, 100, 100}));
  bench.pass(1s);
  EXPECT_EQ(limits(), (std::vector<std::int64_t>{100, 100, 100, 100, 100, 1}));
}

TEST(DirectRunner, M3_updates_that_wait_for_their_key_hold_no_slot_but_are_bounded) {
  DirectOptions options = DirectOptions::concurrent(10);
  options.max_waiting = 20;
  DirectBench bench(options);
  bench.sink.script = [](const Item& item) {
    return Script(item.keys[0] == "chat:hot" ? 1min : 1s, Outcome::done());
  };
  for (std::int64_t id = 1; id <= 12; ++id) bench.put(id, {"hot"});
  bench.put(13, {"cool"});
  bench.start();
  EXPECT_EQ(bench.times("start 13"), 1) << "one hot chat does not stall the others";
  EXPECT_EQ(bench.runner->size(), 2U);
  for (std::int64_t id = 14; id <= 100; ++id) bench.put(id, {"hot"});
  bench.pass(1s);
  EXPECT_GE(bench.runner->stats().heads, 20U);
  EXPECT_LE(bench.runner->stats().heads, 31U);
  const std::size_t calls = bench.line.limits.size();
  bench.pass(50s);
  EXPECT_EQ(bench.line.limits.size(), calls) << "nothing is asked for while so many wait";
  bench.pass(3h);
  EXPECT_EQ(bench.runner->stats().done, 100);
}

TEST(DirectRunner, M3_more_than_asked_for_is_kept_and_handled_too) {
  DirectBench bench(DirectOptions::concurrent(2));
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 50; ++id) updates.push_back(make_update(id, {}, bench.clock.wall()));
  bool given = false;
  bench.supplier = [&](std::size_t) -> asio::awaitable<std::optional<std::vector<Update>>> {
    std::optional<std::vector<Update>> batch;
    if (!std::exchange(given, true)) batch = std::move(updates);
    co_return batch;
  };
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.sink.most_running, 2U);
  EXPECT_EQ(bench.runner->stats().done, 50);
}

TEST(DirectRunner, M4_with_less_traffic_wanted_updates_gather_between_the_calls) {
  DirectOptions options;
  options.speed_traffic_balance = 1;
  DirectBench bench(options);
  bench.put(1, {"a"});
  bench.start();
  bench.put(2, {"a"});
  bench.pass(1s);
  rules::Pacing pacing(1, 500ms);
  const Duration wait = pacing.wait_after(1, Duration::zero());
  ASSERT_GE(bench.line.asked.size(), 2U);
  EXPECT_EQ(bench.line.asked[1] - bench.line.asked[0], wait);
  EXPECT_GT(wait, Duration::zero());
}

TEST(DirectRunner, M6_20000_updates_of_1000_keys_keep_their_order_and_leave_nothing_behind) {
  asio::io_context io;
  loop::VirtualClock clock;
  std::int64_t next = 0;
  UpdateSupplier supplier = [&](std::size_t limit) -> asio::awaitable<std::optional<std::vector<Update>>> {
    std::optional<std::vector<Update>> batch;
    if (next == 20'000) co_return batch;
    batch.emplace();
    for (std::size_t i = 0; i < limit && next < 20'000; ++i, ++next) {
      const std::string chat = std::to_string(next * 7 % 1000);
      const std::string user = "u" + std::to_string(next * 13 % 333);
      batch->push_back(make_update(next + 1, {chat, user}, clock.wall()));
    }
    co_return batch;
  };
  std::map<std::string, std::int64_t> last;
  bool in_order = true;
  UpdateConsumer consumer = [&](Context context) -> asio::awaitable<void> {
    for (const std::string& key : context.item().keys) {
      in_order = in_order && last[key] < context.update_id().value();
      last[key] = context.update_id().value();
    }
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    co_await asio::post(here, asio::use_awaitable);
  };
  const auto sink = sink::make_loop_sink(consumer);
  const auto runner = make_direct_runner(io.get_executor(), clock, supplier, *sink, DirectOptions(), Log());
  runner->start();
  const auto ended = run(io, runner->wait());
  EXPECT_TRUE(ended);
  EXPECT_TRUE(in_order);
  EXPECT_EQ(runner->stats().done, 20'000);
  EXPECT_EQ(runner->stats().heads, 0U);
}

// grammY's sequentialize lets the third overtake: b1 start, a failed, ab start, ab end, b2 start, b1 end.
TEST(DirectRunner, M7_a_failing_predecessor_does_not_let_a_third_overtake) {
  DirectBench bench;
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id == UpdateId(2) ? 10s : 1s, Outcome::done());
    script.throws = item.update_id == UpdateId(1);
    return script;
  };
  const std::vector<std::string> names{"a", "b1", "ab", "b2"};
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.put(3, {"a", "b"});
  bench.put(4, {"b"});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.runner->stats().dead, 1) << "a";
  std::vector<std::string> named;
  for (std::string line : bench.sink.trace) {
    const auto id = static_cast<std::size_t>(line.back() - '1');
    line.pop_back();
    named.push_back(names[id] + " " + line.substr(0, line.size() - 1));
  }
  EXPECT_EQ(named, (std::vector<std::string>{"a start", "b1 start", "a end", "b1 end", "ab start", "ab end",
                                             "b2 start", "b2 end"}));
}

TEST(DirectRunner, M6_keys_are_the_rule_s_and_one_that_throws_leaves_the_default_ones) {
  DirectOptions options;
  options.sequentialize = [](const Update& update) -> std::vector<std::string> {
    if (update.id == UpdateId(3)) throw std::runtime_error("no rule for that");
    return {"user:1", "", "user:1"};
  };
  DirectBench bench(options);
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.put(3, {"c"});
  bench.start();
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "start 3"}));
  EXPECT_EQ(bench.sink.deliveries[0]->item.keys, std::vector<std::string>{"user:1"});
  EXPECT_EQ(bench.sink.deliveries[1]->item.keys, std::vector<std::string>{"chat:c"});
  EXPECT_EQ(bench.logged("sequentialize_failed"), 1U);
}

TEST(DirectRunner, M6_unordered_means_no_keys_at_all) {
  DirectOptions options;
  options.ordered = false;
  options.sequentialize = [](const Update&) { return std::vector<std::string>{"all"}; };
  DirectBench bench(options);
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "start 2"}));
  EXPECT_TRUE(bench.sink.deliveries[0]->item.keys.empty());
}

}  // namespace
}  // namespace tgkeep::test
