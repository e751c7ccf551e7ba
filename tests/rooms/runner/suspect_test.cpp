// P7: updates that were in flight at two crashes run alone.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;
using Trace = std::vector<std::string>;

TEST(Runner, P7_suspects_run_one_at_a_time_with_nothing_beside_them) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  for (std::int64_t id = 1; id <= 4; ++id) bench.put(id, {std::to_string(id)});
  bench.store.crashes = {{Seq(2), 2}, {Seq(3), 2}};
  bench.start();
  bench.pass(10s);
  EXPECT_EQ(bench.sink.trace,
            (Trace{"start 2", "end 2", "start 3", "end 3", "start 1", "start 4", "end 1", "end 4"}));
  EXPECT_EQ(bench.store.begun.at(0), std::make_pair(Seq(2), Mark::solo));
  EXPECT_EQ(bench.store.begun.at(1), std::make_pair(Seq(3), Mark::solo));
  EXPECT_EQ(bench.store.begun.at(2), std::make_pair(Seq(1), Mark::shared));
  EXPECT_TRUE(bench.store.settled.at(0).survived);
}

TEST(Runner, P6_P7_a_suspect_holds_the_others_for_ten_seconds_at_most_and_is_then_renewed_as_shared) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(1) ? 1h : 1s, Outcome::done());
  };
  bench.options.timeout = 2h;
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.store.crashes = {{Seq(1), 2}};
  bench.start();
  bench.pass(9s);
  EXPECT_EQ(bench.sink.trace, Trace{"start 1"});
  EXPECT_TRUE(bench.store.renewed.empty());
  bench.pass(1s);
  EXPECT_EQ(bench.store.renewed, std::vector<Seq>{Seq(1)});
  EXPECT_EQ(bench.times("start 2"), 1);
}

TEST(Runner, P7_while_a_suspects_mark_cant_be_renewed_nothing_starts_beside_it) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id == UpdateId(1) ? 1h : 1s, Outcome::done());
  };
  bench.options.timeout = 2h;
  bench.put(1, {"a"});
  bench.put(2, {"b"});
  bench.store.crashes = {{Seq(1), 2}};
  bench.store.fail_renew = Error(Errc::store_full, "the disk is full");
  bench.start();
  bench.pass(20s);
  EXPECT_EQ(bench.sink.trace, Trace{"start 1"}) << "a crash would still count for it alone";
  bench.store.fail_renew.reset();
  bench.pass(2s);
  EXPECT_EQ(bench.store.renewed, std::vector<Seq>{Seq(1)});
  EXPECT_EQ(bench.times("start 2"), 1);
}

TEST(Runner, P6_P7_with_many_slow_suspects_the_others_get_their_turn_between_them) {
  RunnerBench bench;
  bench.options.timeout = 2h;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id.value() <= 3 ? 1h : 1s, Outcome::done());
  };
  for (std::int64_t id = 1; id <= 5; ++id) bench.put(id, {std::to_string(id)});
  bench.store.crashes = {{Seq(1), 2}, {Seq(2), 3}, {Seq(3), 2}};
  bench.start();
  bench.pass(11s);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "start 4", "start 5", "end 4", "end 5", "start 2"}));
  bench.pass(1min);
  EXPECT_EQ(bench.times("start 3"), 1);
}

TEST(Runner, P6_suspects_in_a_row_leave_the_others_their_turns) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id.value() <= 20 ? 9s : 1s, Outcome::done());
  };
  for (std::int64_t id = 1; id <= 21; ++id) {
    bench.put(id, {std::to_string(id)});
    if (id <= 20) bench.store.crashes[Seq(id)] = 2;
  }
  bench.start();
  bench.pass(20s);
  EXPECT_EQ(bench.times("start 21"), 1);
  bench.pass(1h);
  EXPECT_EQ(bench.counts().inbox.done, 21);
}

TEST(Runner, P6_suspects_get_their_turn_although_the_others_never_end) {
  RunnerOptions options;
  options.limit = 4;
  RunnerBench bench(options);
  bench.options.timeout = 2h;
  bench.sink.script = [](const Item& item) {
    return Script(item.update_id.value() <= 2 ? 30s : 5s, Outcome::done());
  };
  bench.store.crashes = {{Seq(1), 2}, {Seq(2), 2}};
  for (std::int64_t id = 1; id <= 2000; ++id) bench.put(id, {std::to_string(id)});
  bench.start();
  bench.pass(5min);
  EXPECT_EQ(bench.times("start 1"), 1);
  EXPECT_EQ(bench.times("start 2"), 1);
  EXPECT_GT(bench.counts().inbox.done, 50);
}

TEST(Runner, P7_one_that_crashed_too_often_is_dead_without_being_started) {
  RunnerBench bench;
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.store.crashes = {{Seq(1), 12}};
  bench.start();
  bench.pass(1s);
  EXPECT_EQ(bench.times("start 1"), 0);
  EXPECT_EQ(bench.counts().inbox.dead.at("crashed"), 1);
  EXPECT_EQ(bench.times("end 2"), 1);
}

TEST(Runner, P7_a_suspect_that_fails_by_itself_is_none_any_more) {
  RunnerBench bench;
  bench.sink.script = [](const Item& item) {
    Script script(1s, Outcome::done());
    script.throws = item.attempt == 1;
    return script;
  };
  bench.put(1, {"a"});
  bench.store.crashes = {{Seq(1), 2}};
  bench.start();
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 1);
  EXPECT_EQ(bench.store.begun.at(1).second, Mark::shared);
}

}  // namespace
}  // namespace tgkeep::test
