// What a runner tells people and metrics about the lanes, waits and attempts.

#include <gtest/gtest.h>

#include "rooms/runner/direct_bench.hpp"
#include "runner/lineup.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

KeyHash key(const std::string& chat) {
  return OrderingKey(BotId(42), "chat:" + chat).hash();
}

TEST(BusyLanes, those_with_most_behind_them_come_first_then_those_busy_longest) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(1min, Outcome::done()); };
  bench.put(1, {"long"});
  bench.start();
  bench.pass(10s);
  bench.put(2, {"short"});
  for (std::int64_t id = 3; id <= 6; ++id) bench.put(id, {"deep"});
  bench.pass(5s);
  const std::vector<BusyLane> lanes = bench.runner->busy_lanes(10);
  ASSERT_EQ(lanes.size(), 3U);
  EXPECT_EQ(lanes[0].key, key("deep"));
  EXPECT_EQ(lanes[0].waiting, 3U);
  EXPECT_EQ(lanes[0].running, Duration(5s));
  EXPECT_EQ(lanes[1].key, key("long"));
  EXPECT_EQ(lanes[1].head, Seq(1));
  EXPECT_EQ(lanes[1].running, Duration(15s));
  EXPECT_EQ(lanes[2].key, key("short"));
  EXPECT_EQ(bench.runner->busy_lanes(2).size(), 2U);
  EXPECT_TRUE(bench.runner->busy_lanes(0).empty());
  bench.pass(10min);
  EXPECT_TRUE(bench.runner->busy_lanes(10).empty());
}

TEST(BusyLanes, a_lane_that_waits_for_a_retry_says_how_long_and_how_often_it_failed) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(0s, Outcome::retry_after(1min, "later")); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.start();
  bench.pass(80s);
  const std::vector<BusyLane> lanes = bench.runner->busy_lanes(10);
  ASSERT_EQ(lanes.size(), 1U);
  EXPECT_EQ(lanes[0].attempts, 2U);
  EXPECT_EQ(lanes[0].waiting, 1U);
  EXPECT_EQ(lanes[0].running, std::nullopt);
  EXPECT_EQ(lanes[0].due, Duration(40s));
}

TEST(BusyLanes, an_update_with_two_keys_is_behind_in_one_lane_and_first_in_the_other) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(1min, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a", "b"});
  bench.put(3, {"b"});
  bench.start();
  const std::vector<BusyLane> lanes = bench.runner->busy_lanes(10);
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_EQ(lanes[0].key, key("a"));
  EXPECT_EQ(lanes[1].head, Seq(2)) << "it does not run, so its lane comes later";
  EXPECT_EQ(lanes[1].waiting, 1U);
  EXPECT_EQ(lanes[1].running, std::nullopt);
}

TEST(BusyLanes, idle_ones_among_a_hundred_thousand_are_left_out) {
  runner::Lineup lineup(100'000, 64, 2);
  std::vector<Head> heads;
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    Head head;
    head.seq = Seq(static_cast<std::int64_t>(i));
    head.keys = {KeyHash(i <= 99'000 ? i * 0x9e3779b97f4a7c15U : i % 20)};
    heads.push_back(std::move(head));
  }
  lineup.offer(std::move(heads), runner::Now(MonoTime(), WallTime()));
  const auto nothing_runs = [](Seq) { return std::optional<Duration>(); };
  EXPECT_EQ(lineup.size(), 100'000U);
  const std::vector<BusyLane> lanes = lineup.busy_lanes(MonoTime(), nothing_runs, 50);
  ASSERT_EQ(lanes.size(), 20U);
  for (const BusyLane& lane : lanes) EXPECT_EQ(lane.waiting, 49U);
  EXPECT_EQ(lanes[0].head, Seq(99'001));
}

TEST(BusyLanes, a_runner_without_a_store_tells_them_too) {
  DirectBench bench;
  bench.sink.script = [](const Item&) { return Script(1min, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.put(3, {"b"});
  bench.start();
  bench.pass(5s);
  const std::vector<BusyLane> lanes = bench.runner->busy_lanes(10);
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_EQ(lanes[0].key, key("b"));
  EXPECT_EQ(lanes[0].waiting, 1U);
  EXPECT_EQ(lanes[0].running, Duration(5s));
  EXPECT_EQ(lanes[1].key, key("a"));
}

TEST(RunnerFigures, waits_run_from_receipt_to_the_first_start_and_handling_counts_every_attempt) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    return Script(2s, item.attempt == 1 ? Outcome::retry_after(1min, "later") : Outcome::done());
  };
  bench.put(1, {"a"});
  bench.pass(20s);
  bench.start();
  bench.pass(10min);
  const RunnerStats stats = bench.runner->stats();
  EXPECT_EQ(stats.waits.count(), 1U);
  EXPECT_DOUBLE_EQ(stats.waits.sum(), 20);
  EXPECT_EQ(stats.handling.count(), 2U);
  EXPECT_DOUBLE_EQ(stats.handling.sum(), 4);
}

TEST(RunnerFigures, flooded_are_those_that_wait_for_a_time_the_receiver_named) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    if (item.attempt > 1) return Script();
    switch (item.update_id.value()) {
      case 1:
        return Script(0s, Outcome::retry_after(1min, "429"));
      case 2:
        return Script(0s, Outcome::postpone(2min, "503"));
      case 3:
        return Script(0s, Outcome::retry("no time named"));
      default:
        return Script();
    }
  };
  for (std::int64_t id = 1; id <= 4; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  EXPECT_EQ(bench.runner->stats().flooded, 2U);
  bench.pass(1min);
  EXPECT_EQ(bench.runner->stats().flooded, 1U);
  bench.stop(1s);
  EXPECT_EQ(bench.runner->stats().flooded, 0U) << "what a stopped runner waits for is the store's";
}

TEST(RunnerFigures, a_runner_without_a_store_measures_the_same) {
  DirectBench bench;
  bench.options.limit = 1;
  bench.sink.script = [](const Item&) { return Script(2s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.start();
  bench.pass(1min);
  const RunnerStats stats = bench.runner->stats();
  EXPECT_EQ(stats.waits.count(), 2U);
  EXPECT_DOUBLE_EQ(stats.waits.sum(), 2);
  EXPECT_EQ(stats.handling.count(), 2U);
  EXPECT_DOUBLE_EQ(stats.handling.sum(), 4);
}

TEST(RunnerFigures, a_delivery_has_one_line_when_that_is_wanted_and_no_body_in_it) {
  for (const bool wanted : {false, true}) {
    RunnerBench bench;
    bench.options.log_deliveries = wanted;
    bench.sink.script = [](const Item& item) {
      if (item.attempt > 1) return Script(0s, Outcome::dead("refused", "no such thing"));
      return Script(1500ms, Outcome::retry_after(1min, "later"));
    };
    std::vector<std::string> lines;
    const Log log([&](LogLevel level, std::string_view event, std::span<const LogField> fields) {
      if (event != "delivery") return;
      std::string line(to_string(level));
      for (const LogField& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
      lines.push_back(line);
    });
    bench.runner = make_runner(bench.io.get_executor(), bench.clock, bench.store, Queue::inbox, bench.sink,
                               bench.options, log);
    bench.put(7, {"a"});
    bench.pass(250ms);
    bench.start();
    bench.pass(10min);
    if (!wanted) {
      EXPECT_TRUE(lines.empty());
      continue;
    }
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0],
              "info queue=inbox seq=1 update_id=7 kind=message key=chat:a attempt=1 outcome=retry "
              "waited_ms=250.0 ms=1500.0 error=later");
    EXPECT_NE(lines[1].find("attempt=2 outcome=dead"), std::string::npos);
    EXPECT_NE(lines[1].find("reason=refused"), std::string::npos);
  }
}

}  // namespace
}  // namespace tgkeep::test
