// Stopping, starting again, the end of a supply and a supplier in trouble.

#include <gtest/gtest.h>

#include "rooms/runner/direct_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

// Measured with grammY's runner: stop resolves after 1 ms with all handlers still running.
TEST(DirectRunner, M8_stop_waits_for_what_runs_and_starts_nothing_more) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(5s, Outcome::done()); };
  for (std::int64_t id = 1; id <= 10; ++id) bench.put(id, {std::to_string(id)});
  bench.put(11, {"10"});
  bench.start();
  std::optional<StopReport> report;
  asio::co_spawn(bench.io, bench.runner->stop(30s), [&](std::exception_ptr, StopReport r) { report = r; });
  bench.pass(4s);
  EXPECT_FALSE(report);
  EXPECT_FALSE(bench.runner->is_running());
  bench.pass(1s);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->cut_off, 0U);
  EXPECT_EQ(report->waiting, 1U);
  EXPECT_EQ(bench.runner->stats().done, 10);
  EXPECT_EQ(bench.times("start 11"), 0);
  bench.start();
  bench.pass(5s);
  EXPECT_EQ(bench.times("end 11"), 1);
}

TEST(DirectRunner, M8_what_the_drain_cuts_off_is_kept_and_handled_first_after_the_next_start) {
  DirectBench bench(DirectOptions::concurrent(2));
  bench.sink.script = [](const Item& item) {
    Script script(1min, Outcome::done());
    script.deaf = item.update_id == UpdateId(2);
    return script;
  };
  for (std::int64_t id = 1; id <= 3; ++id) bench.put(id, {std::to_string(id % 2)});
  bench.start();
  const MonoTime before = bench.clock.mono();
  const StopReport report = bench.stop(10s);
  EXPECT_LE(bench.clock.mono() - before, Duration(13s));
  EXPECT_EQ(report.cut_off, 2U);
  EXPECT_EQ(report.waiting, 0U);
  EXPECT_EQ(bench.runner->size(), 0U);
  bench.sink.trace.clear();
  bench.sink.script = [](const Item& item) {
    EXPECT_EQ(item.starts, item.update_id == UpdateId(3) ? 0U : 1U)
        << "so the handler is told that it may repeat";
    EXPECT_EQ(item.attempt, 1U);
    return Script(1s, Outcome::done());
  };
  bench.start();
  bench.pass(10s);
  EXPECT_EQ(bench.sink.trace,
            (std::vector<std::string>{"start 1", "start 2", "end 1", "start 3", "end 2", "end 3"}));
  EXPECT_EQ(bench.runner->stats().dead, 0);
}

TEST(DirectRunner, M8_a_stop_cancels_the_supplier_at_once) {
  DirectBench bench;
  bench.start();
  EXPECT_EQ(bench.line.calls_at_once, 1);
  const MonoTime before = bench.clock.mono();
  asio::co_spawn(bench.io, bench.runner->stop(30s), [](std::exception_ptr, StopReport) {});
  bench.pass(0s);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.line.calls_at_once, 0);
  EXPECT_EQ(bench.clock.mono(), before);
}

TEST(DirectRunner, M8_what_a_cancelled_supplier_returns_all_the_same_is_kept) {
  DirectBench bench;
  bool given = false;
  bench.supplier = [&](std::size_t limit) -> asio::awaitable<std::optional<std::vector<Update>>> {
    if (std::exchange(given, true)) co_return co_await bench.line.supplier()(limit);
    try {
      co_await loop::sleep_for(bench.clock, 1h);
    } catch (const boost::system::system_error&) {
    }
    std::optional<std::vector<Update>> batch(std::in_place);
    batch->push_back(make_update(1, {"a"}, bench.clock.wall()));
    co_return batch;
  };
  bench.start();
  EXPECT_EQ(bench.stop(1s).waiting, 1U);
  EXPECT_TRUE(bench.sink.trace.empty());
  bench.start();
  EXPECT_EQ(bench.times("end 1"), 1);
}

TEST(DirectRunner, M8_a_stop_may_be_begun_by_a_handler_or_by_on_error) {
  DirectBench bench(DirectOptions::concurrent(2));
  std::vector<StopReport> reports;
  const auto begin_stop = [&] {
    asio::co_spawn(bench.io, bench.runner->stop(10s),
                   [&](std::exception_ptr, StopReport report) { reports.push_back(report); });
  };
  bench.options.on_error = [&](const DeliveryFailure&) { begin_stop(); };
  bench.sink.script = [&](const Item& item) {
    Script script(item.update_id.value() % 2 * 1s, Outcome::done());
    script.throws = item.update_id == UpdateId(1);
    if (item.update_id == UpdateId(4)) begin_stop();
    return script;
  };
  for (std::int64_t id = 1; id <= 6; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(reports.size(), 1U) << "by on_error";
  EXPECT_EQ(bench.times("start 4"), 0);
  EXPECT_FALSE(bench.runner->is_running());
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(reports.size(), 2U) << "by the handler";
  EXPECT_FALSE(bench.runner->is_running());
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.runner->stats().done, 5);
}

TEST(DirectRunner, M1_without_a_supplier_it_says_so) {
  DirectBench bench;
  bench.supplier = nullptr;
  EXPECT_THROW(bench.start(), Failure);
}

// Measured with grammY's runner: two loops on one source.
TEST(DirectRunner, M8_starting_twice_makes_one_loop) {
  DirectBench bench;
  bench.start();
  bench.start();
  for (std::int64_t id = 1; id <= 300; ++id) bench.put(id, {std::to_string(id)});
  bench.pass(1s);
  EXPECT_EQ(bench.line.most_calls_at_once, 1);
  EXPECT_EQ(bench.sink.trace.size(), 600U);
}

TEST(DirectRunner, M8_stop_is_safe_before_start_twice_and_while_it_stops) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(5s, Outcome::done()); };
  bench.runner = make_direct_runner(bench.io.get_executor(), bench.clock, bench.supplier, bench.sink,
                                    bench.options, Log());
  EXPECT_EQ(bench.stop(1s).cut_off, 0U);
  bench.put(1, {"a"});
  bench.start();
  int ended = 0;
  for (int i = 0; i < 2; ++i) {
    asio::co_spawn(bench.io, bench.runner->stop(30s), [&](std::exception_ptr, StopReport) { ++ended; });
  }
  asio::co_spawn(bench.io, bench.runner->wait(), [&](std::exception_ptr, Result<void>) { ++ended; });
  bench.pass(4s);
  EXPECT_EQ(ended, 0);
  bench.pass(1s);
  EXPECT_EQ(ended, 3);
}

TEST(DirectRunner, M8_a_hundred_stops_and_starts_lose_nothing_and_repeat_only_what_was_cut_off) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(70ms, Outcome::done()); };
  bench.start();
  std::int64_t id = 0;
  std::size_t cut_off = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 7; ++i) bench.put(++id, {std::to_string(id % 5)});
    bench.pass(100ms);
    cut_off += bench.stop(round % 2 == 0 ? Duration(1s) : Duration(10ms)).cut_off;
    bench.start();
  }
  bench.pass(1h);
  EXPECT_EQ(bench.runner->stats().done, 700);
  EXPECT_EQ(bench.runner->stats().started, 700 + static_cast<std::int64_t>(cut_off));
  EXPECT_GT(cut_off, 0U);
  for (std::int64_t one = 1; one <= id; ++one) EXPECT_EQ(bench.times("end " + std::to_string(one)), 1);
}

TEST(DirectRunner, M8_at_the_end_of_the_supply_everything_is_handled_and_it_stops_by_itself) {
  DirectBench bench(DirectOptions::sequential());
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  for (std::int64_t id = 1; id <= 5; ++id) bench.put(id, {"a"});
  bench.line.end();
  bool ended = false;
  bench.start();
  asio::co_spawn(bench.io, bench.runner->wait(),
                 [&](std::exception_ptr, Result<void> r) { ended = r.has_value(); });
  bench.pass(4s);
  EXPECT_FALSE(ended);
  bench.pass(1s);
  EXPECT_TRUE(ended);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.runner->stats().done, 5);
  bench.start();
  EXPECT_FALSE(bench.runner->is_running()) << "asked again, and again there is nothing";
}

TEST(DirectRunner, M8_a_deaf_handler_does_not_hold_the_end_of_the_supply_for_ever) {
  DirectBench bench;
  bench.sink.script = [](const Item& item) {
    Script script(item.update_id == UpdateId(1) ? 1000h : 1s, Outcome::done());
    script.deaf = true;
    return script;
  };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.line.end();
  bench.start();
  bench.pass(11min);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.times("end 2"), 1);
  EXPECT_EQ(bench.runner->stats().dead, 1);
}

TEST(DirectRunner, M8_a_stop_while_the_last_ones_end_keeps_what_it_cuts_off) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(1h, Outcome::done()); };
  bench.options.timeout = 2h;
  bench.put(1, {"a"});
  bench.line.end();
  bench.start();
  bench.pass(1s);
  EXPECT_TRUE(bench.runner->is_running());
  EXPECT_EQ(bench.stop(1s).cut_off, 1U);
  bench.start();
  bench.pass(1h);
  EXPECT_EQ(bench.times("end 1"), 1);
  EXPECT_FALSE(bench.runner->is_running());
}

// Measured with grammY's runner: waits double without a cap, so recovery lags by the length of the outage.
TEST(DirectRunner, M10_a_failing_supplier_is_asked_again_after_at_most_30_s) {
  DirectBench bench;
  std::vector<Duration> waits;
  std::optional<MonoTime> last;
  bench.supplier = [&](std::size_t) -> asio::awaitable<std::optional<std::vector<Update>>> {
    const MonoTime now = bench.clock.mono();
    if (last) waits.push_back(now - *last);
    last = now;
    throw std::runtime_error("no queue");
    co_return std::nullopt;
  };
  bench.start();
  bench.pass(5min);
  ASSERT_GE(waits.size(), 8U);
  EXPECT_EQ(waits[0], Duration(1s));
  EXPECT_EQ(waits[1], Duration(2s));
  EXPECT_EQ(*std::ranges::max_element(waits), Duration(30s));
  EXPECT_EQ(bench.logged("supplier_failed"), waits.size() + 1);
}

// Measured with grammY's runner: a stop waits out the backoff, hours in a long outage.
TEST(DirectRunner, M10_stop_during_a_backoff_returns_at_once) {
  DirectBench bench;
  bench.supplier = [](std::size_t) -> asio::awaitable<std::optional<std::vector<Update>>> {
    throw std::runtime_error("no queue");
    co_return std::nullopt;
  };
  bench.start();
  bench.pass(2min);
  const MonoTime before = bench.clock.mono();
  asio::co_spawn(bench.io, bench.runner->stop(30s), [](std::exception_ptr, StopReport) {});
  bench.pass(0s);
  EXPECT_FALSE(bench.runner->is_running());
  EXPECT_EQ(bench.clock.mono(), before);
}

TEST(DirectRunner, M10_a_supplier_that_has_nothing_and_says_so_at_once_does_not_make_it_spin) {
  DirectBench bench;
  int calls = 0;
  bench.supplier = [&](std::size_t) -> asio::awaitable<std::optional<std::vector<Update>>> {
    ++calls;
    co_return std::vector<Update>();
  };
  bench.start();
  bench.pass(10s);
  EXPECT_GE(calls, 90);
  EXPECT_LE(calls, 110);
}

}  // namespace
}  // namespace tgkeep::test
