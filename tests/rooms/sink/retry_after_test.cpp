#include "sink/retry_after.hpp"

#include <gtest/gtest.h>

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_days kDay{std::chrono::year(2026) / 2 / 28};
constexpr WallTime kNow = kDay + 23h + 59min + 30s + 500ms;

TEST(RetryAfter, seconds_are_taken_from_one_second_to_an_hour) {
  EXPECT_EQ(read_retry_after("17", kNow), Duration(17s));
  EXPECT_EQ(read_retry_after("17 ", kNow), Duration(17s));
  EXPECT_EQ(read_retry_after("0", kNow), Duration(1s));
  EXPECT_EQ(read_retry_after("3601", kNow), Duration(1h));
  EXPECT_EQ(read_retry_after("123456789012345678901234567890", kNow), Duration(1h));
}

TEST(RetryAfter, a_date_is_the_time_until_it_rounded_up) {
  EXPECT_EQ(read_retry_after("Sun, 01 Mar 2026 00:00:00 GMT", kNow), Duration(30s));
  EXPECT_EQ(read_retry_after("Sat, 28 Feb 2026 23:59:32 GMT", kNow), Duration(2s));
  EXPECT_EQ(read_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow), Duration(1s));
  EXPECT_EQ(read_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", kNow), Duration(1h));
}

TEST(RetryAfter, anything_else_is_as_if_there_was_none) {
  for (const char* const text :
       {"", " ", "-1", "1.5", "soon", "5s", "0x10", "+5", "Sun, 30 Feb 2026 00:00:00 GMT",
        "Sun, 01 Mrz 2026 00:00:00 GMT", "Sun, 01 Mar 2026 24:00:00 GMT", "Sun, 01 Mar 2026 00:60:00 GMT",
        "Sun, 01 Mar 2026 00:00:00 CET", "Sun, -1 Mar 2026 00:00:00 GMT", "Sunday, 01-Mar-26 00:00:00 GMT",
        "Sun Mar  1 00:00:00 2026", "2026-03-01T00:00:00Z"}) {
    EXPECT_FALSE(read_retry_after(text, kNow)) << text;
  }
}

}  // namespace
}  // namespace tgkeep::sink
