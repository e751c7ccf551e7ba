#include "rules/pacing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

/// The formula as it is written, over all samples at once.
class Formula {
 public:
  Formula(double balance, Duration max) : balance_(balance), max_(in_ms(max)) {}
  double wait_ms(std::size_t count, Duration took) {
    counts_.push_back(static_cast<double>(count));
    durations_.push_back(in_ms(took));
    counts_.pop_front();
    durations_.pop_front();
    if (count >= 100) return 0;
    double counted = 0;
    double lasted = 0;
    for (const double one : counts_) counted += one;
    for (const double one : durations_) lasted += one;
    return max_ * std::tanh(100 * balance_ / max_ * lasted / counted);
  }

 private:
  static double in_ms(Duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
  }
  double balance_;
  double max_;
  std::deque<double> counts_ = std::deque<double>(16, 100);
  std::deque<double> durations_ = std::deque<double>(16, 1);
};

void expect_near(Duration wait, double ms) {
  const std::chrono::duration<double, std::milli> waited = wait;
  EXPECT_NEAR(waited.count(), ms, 1);
}

TEST(Pacing, M4_waits_follow_the_formula) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  for (const double balance : {0.01, 0.3, 1.0}) {
    for (const Duration max : {Duration(500ms), Duration(7s)}) {
      Pacing pacing(balance, max);
      Formula formula(balance, max);
      for (int call = 0; call < 200; ++call) {
        const auto count = static_cast<std::size_t>(random.between(0, random.chance(0.2) ? 100 : 20));
        const Duration took = random.between(0, random.chance(0.1) ? 30'000 : 50) * 1ms;
        expect_near(pacing.wait_after(count, took), formula.wait_ms(count, took));
      }
    }
  }
}

TEST(Pacing, M4_a_known_script) {
  Pacing pacing(0.5, 500ms);
  // 15 × 100 + 10 updates in 15 × 1 + 35 ms: 500 · tanh(0.1 · 50 / 1510).
  expect_near(pacing.wait_after(10, 35ms), 500 * std::tanh(0.1 * 50 / 1510));
  for (int call = 0; call < 16; ++call) pacing.wait_after(1, 200ms);
  expect_near(pacing.wait_after(1, 200ms), 500);
}

TEST(Pacing, M4_full_batches_are_never_waited_after) {
  Pacing pacing(1, 500ms);
  for (int call = 0; call < 20; ++call) pacing.wait_after(1, 10s);
  EXPECT_EQ(pacing.wait_after(100, 10s), Duration::zero());
  EXPECT_EQ(pacing.wait_after(250, 10s), Duration::zero());
  EXPECT_GT(pacing.wait_after(99, 10s), Duration::zero());
}

TEST(Pacing, M4_the_balance_is_clamped_and_0_never_waits) {
  Pacing much(5, 500ms);
  Pacing most(1, 500ms);
  Pacing none(0, 500ms);
  Pacing less(-1, 500ms);
  for (int call = 0; call < 20; ++call) {
    EXPECT_EQ(much.wait_after(3, 20ms), most.wait_after(3, 20ms));
    EXPECT_EQ(none.wait_after(3, 20ms), Duration::zero());
    EXPECT_EQ(less.wait_after(3, 20ms), Duration::zero());
  }
}

TEST(Pacing, M4_only_the_last_16_calls_count_and_nothing_at_all_waits_the_longest) {
  Pacing pacing(1, 500ms);
  pacing.wait_after(1, 10h);
  for (int call = 0; call < 15; ++call) pacing.wait_after(100, 1ms);
  expect_near(pacing.wait_after(99, 1ms), 500 * std::tanh(0.2 * 16 / 1599));
  for (int call = 0; call < 16; ++call) pacing.wait_after(0, 1ms);
  EXPECT_EQ(pacing.wait_after(0, 1ms), Duration(500ms));
  EXPECT_EQ(Pacing(1, Duration::zero()).wait_after(0, 1ms), Duration::zero());
}

}  // namespace
}  // namespace tgkeep::rules
