// P3, P5, P6, P11: what starts, in which order, how many at once.

#include <gtest/gtest.h>

#include "rooms/runner/runner_bench.hpp"
#include "support/random.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;
using Trace = std::vector<std::string>;

TEST(Runner, P5_updates_of_a_chat_are_handled_one_after_another_and_chats_beside_each_other) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.put(3, {"b"});
  bench.start();
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "start 3"}));
  bench.pass(1s);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "start 3", "end 1", "start 2", "end 3"}));
  bench.pass(1s);
  EXPECT_EQ(bench.counts().inbox.done, 3);
}

TEST(Runner, P5_the_next_of_a_chat_starts_only_when_the_settlement_is_durable) {
  RunnerBench bench;
  bench.put(1, {"a"});
  bench.put(2, {"a"});
  bench.store.hold_settle();
  bench.start();
  bench.pass(1h);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "end 1"}));
  bench.store.release();
  bench.pass(0s);
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "end 1", "start 2", "end 2"}));
}

TEST(Runner, P4_nothing_is_settled_before_the_handler_has_ended) {
  RunnerBench bench;
  bench.sink.script = [](const Item&) { return Script(1h, Outcome::done()); };
  bench.options.timeout = 2h;
  bench.put(1, {"a"});
  bench.start();
  bench.pass(59min);
  EXPECT_TRUE(bench.store.settled.empty());
  EXPECT_EQ(bench.counts().inbox.in_flight, 1);
  bench.pass(1min);
  EXPECT_EQ(bench.counts().inbox.done, 1);
}

TEST(Runner, P3_what_arrives_while_running_is_handled_too) {
  RunnerBench bench;
  bench.start();
  bench.put(1, {"a"});
  bench.pass(0s);
  EXPECT_EQ(bench.times("end 1"), 1);
}

TEST(Runner, P11_no_more_than_the_limit_run_at_once_and_waiting_ones_hold_no_slot) {
  RunnerOptions options;
  options.limit = 3;
  RunnerBench bench(options);
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  for (std::int64_t id = 1; id <= 10; ++id) bench.put(id, {"hot"});
  bench.put(11, {"b"});
  bench.put(12, {"c"});
  bench.put(13, {"d"});
  bench.start();
  EXPECT_EQ(bench.sink.trace, (Trace{"start 1", "start 11", "start 12"}));
  bench.pass(10s);
  EXPECT_EQ(bench.counts().inbox.done, 13);
  EXPECT_EQ(bench.sink.most_running, 3U);
}

TEST(Runner, P6_P11_a_flooded_chat_is_handled_in_order_with_few_heads_in_memory_and_others_pass_it) {
  RunnerOptions options;
  options.max_heads = 50;
  options.max_heads_per_key = 4;
  RunnerBench bench(options);
  bench.sink.script = [](const Item&) { return Script(1s, Outcome::done()); };
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 500; ++id) updates.push_back(make_update(id, {"hot"}, bench.clock.wall()));
  updates.push_back(make_update(501, {"other"}, bench.clock.wall()));
  bench.put(std::move(updates));
  bench.start();
  EXPECT_EQ(bench.times("start 501"), 1);
  Trace expected{"start 1", "start 501", "end 1", "end 501"};
  bench.pass(1s);
  for (int step = 0; step < 500; ++step) {
    EXPECT_LE(bench.runner->stats().heads, 5U);
    bench.pass(1s);
  }
  EXPECT_EQ(bench.counts().inbox.done, 501);
  std::int64_t last = 0;
  for (const auto& delivery : bench.sink.deliveries) {
    if (delivery->item.keys[0] != "chat:hot") continue;
    EXPECT_EQ(delivery->item.update_id.value(), last + 1);
    last = delivery->item.update_id.value();
  }
}

TEST(Runner, P3_kinds_whose_answer_can_no_longer_be_given_end_as_expired_and_others_are_late) {
  RunnerBench bench;
  Update inline_query = make_update(1, {"a"}, bench.clock.wall());
  inline_query.lifetime = 30s;
  inline_query.answer_expires = true;
  Update callback = make_update(2, {"b"}, bench.clock.wall());
  callback.lifetime = 150s;
  std::vector<Update> updates{inline_query, callback};
  bench.put(std::move(updates));
  bench.pass(10min);
  bench.start();
  EXPECT_EQ(bench.sink.trace, (Trace{"start 2", "end 2"}));
  EXPECT_TRUE(bench.sink.deliveries.at(0)->late);
  EXPECT_EQ(bench.counts().inbox.dead.at("expired"), 1);
}

// Random updates with none to three keys, durations and failures: every one is settled, and per key the first
// starts follow arrival, and nothing overlaps.
TEST(Runner, P3_P5_random_traffic_keeps_every_promise_of_order) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  RunnerOptions options;
  options.limit = 20;
  options.max_heads = 60;
  options.max_heads_per_key = 5;
  options.max_attempts = 4;
  RunnerBench bench(options);
  std::map<std::int64_t, std::vector<std::string>> keys_of;
  bench.sink.script = [&](const Item&) {
    Script script(std::chrono::milliseconds(random.between(0, 3000)), Outcome::done());
    if (random.chance(0.2)) script.throws = true;
    if (random.chance(0.1))
      script.outcome = Outcome::retry_after(std::chrono::seconds(random.between(0, 60)), "later");
    if (random.chance(0.05)) script.outcome = Outcome::dead("refused", "no");
    if (random.chance(0.05)) script.outcome = Outcome::postpone(5s, "not now");
    return script;
  };
  bench.start();
  for (std::int64_t id = 1; id <= 600; ++id) {
    for (std::int64_t i = random.between(0, 3); i > 0; --i) {
      keys_of[id].push_back(random.chance(0.3) ? "hot" : std::to_string(random.between(1, 25)));
    }
    bench.put(id, keys_of[id]);
    if (random.chance(0.3)) bench.pass(std::chrono::milliseconds(random.between(0, 500)));
  }
  for (int hour = 0; hour < 48; ++hour) bench.pass(1h);

  std::map<std::string, std::int64_t> last_first_start;
  std::map<std::string, std::int64_t> open;
  std::set<std::int64_t> started;
  for (const std::string& line : bench.sink.trace) {
    const std::int64_t id = std::stoll(line.substr(line.find(' ')));
    const bool is_start = line.starts_with("start");
    const std::set<std::string> keys(keys_of[id].begin(), keys_of[id].end());
    for (const std::string& key : keys) {
      if (!is_start) {
        open.erase(key);
        continue;
      }
      ASSERT_FALSE(open.contains(key)) << id << " overlaps " << open[key] << " in " << key;
      open[key] = id;
      if (started.contains(id)) continue;
      ASSERT_LT(last_first_start[key], id) << "out of order in " << key;
      last_first_start[key] = id;
    }
    if (is_start) started.insert(id);
  }
  EXPECT_EQ(started.size(), 600U);
  const QueueCounts counts = bench.counts().inbox;
  std::int64_t dead = 0;
  for (const auto& [reason, count] : counts.dead) dead += count;
  EXPECT_EQ(counts.done + dead, 600);
  EXPECT_EQ(bench.runner->stats().heads, 0U);
  EXPECT_LE(bench.sink.most_running, 20U);
}

}  // namespace
}  // namespace tgkeep::test
