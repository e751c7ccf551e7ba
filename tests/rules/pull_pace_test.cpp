#include "rules/pull_pace.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

const MonoTime kStart = MonoTime() + 1h;

TEST(PullPace, as_many_are_noted_ahead_as_were_taken_within_the_last_100_ms) {
  PullPace pace(1000);
  EXPECT_EQ(pace.ahead(kStart), 0U);
  pace.took(100, kStart);
  EXPECT_EQ(pace.ahead(kStart), 100U);
  pace.took(50, kStart + 60ms);
  EXPECT_EQ(pace.ahead(kStart + 99ms), 150U);
  EXPECT_EQ(pace.ahead(kStart + 100ms), 50U);
  EXPECT_EQ(pace.ahead(kStart + 160ms), 0U);
}

TEST(PullPace, a_bot_that_takes_none_within_100_ms_gets_none_ahead) {
  PullPace pace(1000);
  for (int poll = 0; poll < 50; ++poll) {
    EXPECT_EQ(pace.ahead(kStart + poll * 100ms), 0U);
    pace.took(100, kStart + poll * 100ms);
  }
}

TEST(PullPace, there_is_a_most) {
  PullPace pace(1000);
  PullPace never(0);
  for (int poll = 0; poll < 50; ++poll) {
    pace.took(100, kStart + poll * 1ms);
    never.took(100, kStart + poll * 1ms);
  }
  EXPECT_EQ(pace.ahead(kStart + 50ms), 1000U);
  EXPECT_EQ(never.ahead(kStart + 50ms), 0U);
  EXPECT_EQ(pace.ahead(kStart + 144ms), 500U);
}

}  // namespace
}  // namespace tgkeep::rules
