#include "rules/retry.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

TEST(Retry, P7_delays_double_from_one_second_to_three_minutes) {
  const RetryPolicy policy;
  std::vector<Duration> delays;
  for (std::uint32_t attempt = 1; attempt < 12; ++attempt) {
    delays.push_back(decide_retry(policy, attempt, std::nullopt, std::nullopt, 0.0).delay());
  }
  EXPECT_EQ(delays, (std::vector<Duration>{1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 180s, 180s, 180s}));
}

TEST(Retry, P7_jitter_takes_up_to_a_quarter_and_never_adds) {
  EXPECT_EQ(backoff(8s, 180s, 1, 0.0), Duration(8s));
  EXPECT_EQ(backoff(8s, 180s, 1, 0.5), Duration(7s));
  EXPECT_GT(backoff(8s, 180s, 1, 0.999), Duration(5990ms));
}

TEST(Retry, P7_the_twelfth_failure_is_the_last) {
  const auto decision = decide_retry(RetryPolicy(), 12, Duration(1min), std::nullopt, 0.0);
  EXPECT_TRUE(decision.is_dead());
  EXPECT_EQ(decision.reason(), "attempts");
}

TEST(Retry, P6_a_head_that_blocks_its_key_for_max_block_is_dead_but_never_before_the_second_attempt) {
  const RetryPolicy policy;
  EXPECT_FALSE(decide_retry(policy, 2, Duration(14min), std::nullopt, 0.0).is_dead());
  const auto decision = decide_retry(policy, 2, Duration(15min), std::nullopt, 0.0);
  EXPECT_EQ(decision.reason(), "max_block");
  EXPECT_FALSE(decide_retry(policy, 1, Duration(1h), std::nullopt, 0.0).is_dead());
}

TEST(Retry, P4_the_handlers_own_delay_is_obeyed_in_full) {
  EXPECT_EQ(decide_retry(RetryPolicy(), 1, std::nullopt, Duration(2h), 0.9).delay(), Duration(2h));
  EXPECT_EQ(decide_retry(RetryPolicy(), 1, std::nullopt, Duration(-5s), 0.9).delay(), Duration(0s));
}

}  // namespace
}  // namespace tgkeep::rules
