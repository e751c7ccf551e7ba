#include "emulator/webhook_schedule.hpp"

#include <gmock/gmock.h>

namespace tgkeep::emulator {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

const MonoTime start{seconds(1000)};
const WallTime wall{seconds(1'000'000)};
const WallTime never = wall + hours(1000);

std::vector<std::int64_t> start_all(WebhookSchedule& schedule, MonoTime now) {
  std::vector<std::int64_t> ids;
  while (const auto due = schedule.start(now)) ids.push_back(due->id);
  return ids;
}

TEST(WebhookSchedule, B20_sends_the_next_update_of_a_key_only_after_the_one_before) {
  WebhookSchedule schedule(40, 1);
  for (std::int64_t id = 1; id <= 3; ++id) schedule.load(id, 7, never, start);
  EXPECT_THAT(start_all(schedule, start), testing::ElementsAre(1));
  schedule.delivered(7);
  EXPECT_THAT(start_all(schedule, start), testing::ElementsAre(2));
  EXPECT_FALSE(schedule.failed(7, start, wall, std::nullopt));
  EXPECT_THAT(start_all(schedule, start), testing::ElementsAre(2)) << "the failed one stays in front";
}

TEST(WebhookSchedule, B20_sends_keys_side_by_side_those_loaded_together_by_number) {
  WebhookSchedule schedule(40, 1);
  schedule.load(1, 50, never, start);
  schedule.load(2, -100, never, start);
  schedule.load(3, 5, never, start);
  schedule.load(4, -200, never, start + seconds(1));
  EXPECT_THAT(start_all(schedule, start), testing::ElementsAre(2, 3, 1));
  EXPECT_EQ(schedule.next_due(), start + seconds(1));
  EXPECT_THAT(start_all(schedule, start + seconds(1)), testing::ElementsAre(4));
}

TEST(WebhookSchedule, B20_loads_no_more_than_two_keys_for_each_connection) {
  WebhookSchedule schedule(2, 1);
  for (std::int64_t id = 1; id <= 3; ++id) schedule.load(id, id, never, start);
  EXPECT_TRUE(schedule.has_room());
  schedule.load(4, 4, never, start);
  EXPECT_FALSE(schedule.has_room());
  schedule.start(start);
  schedule.delivered(1);
  EXPECT_TRUE(schedule.has_room());
}

TEST(WebhookSchedule, B24_repeats_at_once_then_after_doubling_pauses_then_after_a_random_minute_or_two) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    WebhookSchedule schedule(40, seed);
    schedule.load(1, 7, never, start);
    MonoTime now = start;
    for (const int expected : {0, 2, 4, 8, 16, 32}) {
      ASSERT_TRUE(schedule.start(now));
      ASSERT_FALSE(schedule.failed(7, now, wall, std::nullopt));
      EXPECT_EQ(*schedule.next_due() - now, seconds(expected)) << seed;
      now = *schedule.next_due();
    }
    ASSERT_TRUE(schedule.start(now));
    ASSERT_FALSE(schedule.failed(7, now, wall, std::nullopt));
    EXPECT_GE(*schedule.next_due() - now, seconds(60));
    EXPECT_LE(*schedule.next_due() - now, seconds(64));
    now = *schedule.next_due();
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(schedule.start(now));
      ASSERT_FALSE(schedule.failed(7, now, wall, std::nullopt));
      EXPECT_GE(*schedule.next_due() - now, seconds(60));
      EXPECT_LE(*schedule.next_due() - now, seconds(120));
      now = *schedule.next_due();
    }
  }
}

TEST(WebhookSchedule, B24_obeys_retry_after_up_to_an_hour_and_leaves_the_doubling_where_it_is) {
  WebhookSchedule schedule(40, 1);
  schedule.load(1, 7, never, start);
  const std::vector<std::pair<int, int>> cases = {{5, 5}, {0, 2}, {7, 7}, {-3, 4}, {100'000, 3600}, {0, 8}};
  MonoTime now = start;
  for (const auto& [retry_after, expected] : cases) {
    ASSERT_TRUE(schedule.start(now));
    ASSERT_FALSE(schedule.failed(7, now, wall, seconds(retry_after)));
    EXPECT_EQ(*schedule.next_due() - now, seconds(expected)) << retry_after;
    now = *schedule.next_due();
  }
}

TEST(WebhookSchedule, B24_drops_an_update_that_would_have_expired_by_its_next_attempt) {
  const auto attempts = [](seconds lifetime) {
    WebhookSchedule schedule(40, 1);
    schedule.load(1, 7, wall + lifetime, start);
    MonoTime now = start;
    for (int count = 1;; ++count) {
      schedule.start(now);
      const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(now - start);
      if (schedule.failed(7, now, wall + passed, std::nullopt)) return count;
      now = *schedule.next_due();
    }
  };
  EXPECT_EQ(attempts(seconds(30)), 6) << "an inline query";
  EXPECT_EQ(attempts(seconds(150)), 8) << "a callback query";
  EXPECT_NEAR(attempts(hours(24)), 960, 60) << "a message";
}

TEST(WebhookSchedule, B24_goes_on_with_the_next_of_a_key_after_a_drop) {
  WebhookSchedule schedule(40, 1);
  schedule.load(1, 7, wall - seconds(1), start);
  schedule.load(2, 7, never, start);
  schedule.start(start);
  EXPECT_TRUE(schedule.failed(7, start, wall, std::nullopt));
  EXPECT_THAT(start_all(schedule, start), testing::ElementsAre(2));
  EXPECT_FALSE(schedule.is_loaded(1));
}

TEST(GoneRule, B23_only_410_and_nothing_else_for_more_than_23_hours_removes_a_webhook) {
  GoneRule rule;
  rule.answered(410, start);
  EXPECT_FALSE(rule.is_gone(start + hours(23)));
  EXPECT_TRUE(rule.is_gone(start + hours(23) + seconds(1)));
  rule.answered(500, start + hours(22));
  EXPECT_FALSE(rule.is_gone(start + hours(24)));
  rule.answered(410, start + hours(24));
  rule.answered(410, start + hours(46));
  EXPECT_FALSE(rule.is_gone(start + hours(46)));
  EXPECT_TRUE(rule.is_gone(start + hours(48)));
}

}  // namespace
}  // namespace tgkeep::emulator
