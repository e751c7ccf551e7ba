#include "emulator/connection_ramp.hpp"

#include <gtest/gtest.h>

namespace tgkeep::emulator {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const MonoTime start{seconds(1000)};
constexpr std::size_t many = 1000;

std::size_t open_all(ConnectionRamp& ramp, std::size_t open, MonoTime now) {
  std::size_t opened = 0;
  while (ramp.may_open(many, open + opened, now)) {
    ramp.opened(now);
    ++opened;
  }
  return opened;
}

TEST(ConnectionRamp, B21_opens_one_connection_until_the_first_success) {
  ConnectionRamp ramp(40);
  EXPECT_EQ(open_all(ramp, 0, start), 1U);
  EXPECT_EQ(open_all(ramp, 1, start + seconds(5)), 0U);
}

TEST(ConnectionRamp, B21_while_failing_tries_one_new_connection_in_two_seconds) {
  ConnectionRamp ramp(40);
  EXPECT_EQ(open_all(ramp, 0, start), 1U);
  EXPECT_EQ(open_all(ramp, 0, start + milliseconds(1999)), 0U);
  EXPECT_EQ(ramp.next_chance(many, 0, start + milliseconds(1999)), start + seconds(2));
  EXPECT_EQ(open_all(ramp, 0, start + seconds(2)), 1U);
}

TEST(ConnectionRamp, B21_after_a_success_opens_ten_at_once_and_then_twenty_a_second) {
  ConnectionRamp ramp(100);
  ramp.succeeded(start);
  std::size_t open = open_all(ramp, 0, start);
  EXPECT_EQ(open, 10U);
  EXPECT_EQ(ramp.next_chance(many, open, start), start + milliseconds(50));
  for (int tick = 1; tick <= 20; ++tick) open += open_all(ramp, open, start + tick * milliseconds(50));
  EXPECT_EQ(open, 30U);
}

TEST(ConnectionRamp, B21_opens_no_more_than_there_are_keys_or_max_connections) {
  ConnectionRamp ramp(3);
  ramp.succeeded(start);
  EXPECT_TRUE(ramp.may_open(2, 1, start));
  EXPECT_FALSE(ramp.may_open(2, 2, start));
  EXPECT_FALSE(ramp.may_open(many, 3, start));
  EXPECT_EQ(ramp.next_chance(many, 3, start), std::nullopt);
}

TEST(ConnectionRamp, B21_falls_back_to_one_connection_ten_seconds_after_the_last_success) {
  ConnectionRamp ramp(40);
  ramp.succeeded(start);
  EXPECT_TRUE(ramp.may_open(many, 5, start + seconds(10)));
  EXPECT_FALSE(ramp.may_open(many, 5, start + milliseconds(10'001)));
  EXPECT_FALSE(ramp.may_open(many, 1, start + seconds(100)));
  EXPECT_TRUE(ramp.may_open(many, 0, start + seconds(100)));
}

}  // namespace
}  // namespace tgkeep::emulator
