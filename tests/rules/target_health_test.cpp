#include "rules/target_health.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

const MonoTime kStart{std::chrono::hours(100)};

TEST(TargetHealth, P7_ten_failures_in_a_row_over_three_keys_pause_a_target) {
  TargetHealth health{TargetPolicy()};
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(health.failed(KeyHash(i % 3), kStart));
  EXPECT_TRUE(health.failed(KeyHash(0), kStart));
  EXPECT_TRUE(health.paused());
}

TEST(TargetHealth, P7_failures_of_two_keys_or_with_a_success_between_pause_nothing) {
  TargetHealth health{TargetPolicy()};
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(health.failed(KeyHash(i % 2), kStart));
  health.answered();
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(health.failed(KeyHash(i), kStart));
    if (i % 9 == 8) health.answered();
  }
}

TEST(TargetHealth, P7_an_unreachable_target_is_probed_after_1_s_doubling_to_30_s_until_it_answers) {
  TargetHealth health{TargetPolicy()};
  MonoTime now = kStart;
  EXPECT_TRUE(health.unreachable(now));
  std::vector<Duration> waits;
  for (int i = 0; i < 7; ++i) {
    waits.push_back(*health.next_probe() - now);
    EXPECT_FALSE(health.may_probe(*health.next_probe() - 1ms));
    now = *health.next_probe();
    EXPECT_TRUE(health.may_probe(now));
    health.probe_started(now);
    EXPECT_FALSE(health.may_probe(now)) << "one at a time";
    health.probe_failed(now);
  }
  EXPECT_EQ(waits, (std::vector<Duration>{1s, 2s, 4s, 8s, 16s, 30s, 30s}));
  EXPECT_TRUE(health.answered());
  EXPECT_FALSE(health.paused());
}

TEST(TargetHealth, P7_an_unreachable_target_that_takes_a_request_again_is_not_paused_even_if_that_one_fails) {
  TargetHealth health{TargetPolicy()};
  health.unreachable(kStart);
  EXPECT_TRUE(health.failed(KeyHash(1), kStart + 1s));
  EXPECT_FALSE(health.paused());
}

TEST(TargetHealth, P7_a_probe_that_takes_long_does_not_hold_the_next_one) {
  TargetHealth health{TargetPolicy()};
  health.unreachable(kStart);
  health.probe_started(kStart + 1s);
  EXPECT_TRUE(health.may_probe(kStart + 2s));
}

}  // namespace
}  // namespace tgkeep::rules
