#include "rules/bulk_pace.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

TEST(BulkPace, a_burst_and_then_the_rate) {
  BulkPace pace(25);
  MonoTime now{};
  int at_once = 0;
  while (pace.take(now)) ++at_once;
  EXPECT_EQ(at_once, 5);
  EXPECT_EQ(pace.next(now), now + 40ms);
  EXPECT_FALSE(pace.take(now + 39ms));
  EXPECT_TRUE(pace.take(now + 40ms));
  EXPECT_FALSE(pace.take(now + 40ms));
}

TEST(BulkPace, a_slow_rate_still_lets_one_through_and_none_lets_nothing) {
  BulkPace slow(0.5);
  EXPECT_TRUE(slow.take(MonoTime{}));
  EXPECT_EQ(slow.next(MonoTime{}), MonoTime{} + 2s);
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    BulkPace never(rate);
    EXPECT_FALSE(never.take(MonoTime{} + 1h));
    EXPECT_EQ(never.next(MonoTime{}), MonoTime::max());
  }
}

// Whatever the order of asking: no window of time holds more than its burst and its share, and who waits for
// `next` gets one.
TEST(BulkPace, no_window_holds_more_than_its_share_and_next_tells_the_truth) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  for (int round = 0; round < 50; ++round) {
    const double rate = static_cast<double>(random.between(1, 200));
    const double burst = std::max(1.0, rate / 5);
    BulkPace pace(rate);
    MonoTime now{};
    std::vector<MonoTime> taken;
    for (int step = 0; step < 500; ++step) {
      if (random.chance(0.5)) {
        now = pace.next(now);
        ASSERT_TRUE(pace.take(now));
        taken.push_back(now);
      } else {
        now += std::chrono::microseconds(random.between(0, 20'000));
        const bool due = pace.next(now) <= now;
        const bool took = pace.take(now);
        ASSERT_EQ(due, took);
        if (took) taken.push_back(now);
      }
    }
    for (std::size_t from = 0; from < taken.size(); ++from) {
      for (std::size_t to = from; to < taken.size(); ++to) {
        const double window = std::chrono::duration<double>(taken[to] - taken[from]).count();
        ASSERT_LE(static_cast<double>(to - from + 1), burst + window * rate + 0.001);
      }
    }
  }
}

}  // namespace
}  // namespace tgkeep::rules
