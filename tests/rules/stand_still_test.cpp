#include "rules/stand_still.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;
using Cause = StandStill::Cause;

const MonoTime kStart{std::chrono::hours(100)};

TEST(StandStill, P7_the_time_of_a_pause_can_be_taken_off_other_clocks) {
  StandStill still;
  still.begin(Cause::target, kStart + 10s);
  still.end(Cause::target, kStart + 40s);
  still.begin(Cause::target, kStart + 100s);
  EXPECT_EQ(still.between(kStart, kStart + 110s), Duration(40s));
  EXPECT_EQ(still.between(kStart + 20s, kStart + 110s), Duration(30s));
  EXPECT_EQ(still.between(kStart + 50s, kStart + 90s), Duration(0s));
}

TEST(StandStill, P7_two_causes_at_once_are_counted_once) {
  StandStill still;
  still.begin(Cause::target, kStart);
  still.begin(Cause::person, kStart + 10s);
  still.end(Cause::target, kStart + 20s);
  EXPECT_EQ(still.between(kStart, kStart + 25s), Duration(25s));
  still.end(Cause::person, kStart + 30s);
  EXPECT_EQ(still.between(kStart, kStart + 60s), Duration(30s));
}

TEST(StandStill, P7_a_cause_told_twice_is_one_and_an_end_without_a_begin_is_none) {
  StandStill still;
  still.end(Cause::person, kStart);
  EXPECT_EQ(still.between(kStart, kStart + 10s), Duration(0s));
  still.begin(Cause::person, kStart + 10s);
  still.begin(Cause::person, kStart + 20s);
  EXPECT_TRUE(still.has(Cause::person));
  EXPECT_FALSE(still.has(Cause::target));
  still.end(Cause::person, kStart + 30s);
  still.end(Cause::person, kStart + 40s);
  EXPECT_EQ(still.between(kStart, kStart + 60s), Duration(20s));
}

TEST(StandStill, P11_what_ended_a_day_ago_is_forgotten) {
  StandStill still;
  for (int i = 0; i < 10; ++i) {
    still.begin(Cause::person, kStart + 24h * i);
    still.end(Cause::person, kStart + 24h * i + 1h);
  }
  EXPECT_EQ(still.between(kStart, kStart + 240h), Duration(2h));
}

}  // namespace
}  // namespace tgkeep::rules
