// From a supplier to a sink: the plug points, the three modes, room and order.

#include <gtest/gtest.h>

#include <tgkeep/handler_sink.hpp>

#include "rooms/runner/direct_bench.hpp"

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

// grammY's own wait lets the third overtake: b1 start, a failed, ab start, ab end, b2 start, b1 end.
TEST(DirectRunner, M7_a_failing_predecessor_does_not_let_a_third_overtake) {
  DirectBench bench;
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id == UpdateId(2) ? 10s : 1s, Outcome::done());
    script.throws = item.update_id == UpdateId(1);
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.put(3, {"a", "b"});
  bench.put(4, {"b"});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.sink.trace, (std::vector<std::string>{"start 1", "start 2", "end 1", "end 2", "start 3",
                                                        "end 3", "start 4", "end 4"}));
}

}  // namespace
}  // namespace tgkeep::test
