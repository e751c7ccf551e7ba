#include "emulator/poll_rules.hpp"

#include <gtest/gtest.h>

namespace tgkeep::emulator {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const MonoTime start{seconds(1000)};

TEST(PollRules, B8_clamps_limit_and_timeout) {
  PollRules rules;
  const PollTerms low = rules.admit(1, 0, -5, start);
  EXPECT_EQ(low.limit, 1U);
  EXPECT_EQ(low.timeout, seconds(0));
  const PollTerms high = rules.admit(2, 1000, 300, start);
  EXPECT_EQ(high.limit, 100U);
  EXPECT_EQ(high.timeout, seconds(50));
}

TEST(PollRules, B9_the_same_offset_within_three_seconds_waits_at_least_three_seconds) {
  PollRules rules;
  rules.admit(7, 100, 0, start);
  EXPECT_EQ(rules.admit(7, 100, 0, start + milliseconds(2999)).timeout, seconds(3));
  EXPECT_EQ(rules.admit(7, 100, 0, start + milliseconds(5999)).timeout, seconds(0));
  EXPECT_EQ(rules.admit(7, 100, 30, start + milliseconds(6000)).timeout, seconds(30));
  EXPECT_EQ(rules.admit(8, 100, 0, start + milliseconds(6001)).timeout, seconds(0));
}

TEST(PollRules, B9_the_same_offset_within_half_a_second_gets_one_update) {
  PollRules rules;
  rules.admit(7, 100, 30, start);
  EXPECT_EQ(rules.admit(7, 100, 30, start + milliseconds(499)).limit, 1U);
  EXPECT_EQ(rules.admit(7, 100, 30, start + milliseconds(999)).limit, 100U);
}

TEST(PollRules, B11_a_second_conflict_within_three_seconds_is_held_for_three) {
  PollRules rules;
  EXPECT_EQ(rules.conflict_delay(start), seconds(0));
  EXPECT_EQ(rules.conflict_delay(start + milliseconds(2999)), seconds(3));
  EXPECT_EQ(rules.conflict_delay(start + seconds(3)), seconds(0));
}

}  // namespace
}  // namespace tgkeep::emulator
