#include "app/quantity.hpp"

#include <gtest/gtest.h>

namespace tgkeep::app {
namespace {

using namespace std::chrono_literals;

TEST(Quantity, durations_are_read_in_every_unit) {
  EXPECT_EQ(read_duration("250ms").value(), 250ms);
  EXPECT_EQ(read_duration("30s").value(), 30s);
  EXPECT_EQ(read_duration("10m").value(), 10min);
  EXPECT_EQ(read_duration("2h").value(), 2h);
  EXPECT_EQ(read_duration("3d").value(), 72h);
  EXPECT_EQ(read_duration("0s").value(), 0s);
}

TEST(Quantity, a_duration_without_unit_or_with_nonsense_is_refused_with_an_example) {
  for (const char* text :
       {"30", "", "s", "-1s", "1.5h", "30 s", "30S", "99999999999999999999s", "9999999999h"}) {
    const Result<Duration> read = read_duration(text);
    ASSERT_TRUE(read.has_error()) << text;
    EXPECT_NE(read.error().text().find("such as \"30s\""), std::string::npos) << text;
  }
}

TEST(Quantity, sizes_are_read_in_every_unit) {
  EXPECT_EQ(read_size("512B").value(), 512U);
  EXPECT_EQ(read_size("1KiB").value(), 1024U);
  EXPECT_EQ(read_size("64MiB").value(), 64U << 20);
  EXPECT_EQ(read_size("2GiB").value(), 2ULL << 30);
  for (const char* text : {"64", "64MB", "-1B", "99999999TiB"})
    EXPECT_TRUE(read_size(text).has_error()) << text;
}

TEST(Quantity, what_is_shown_is_read_back_the_same) {
  for (const Duration duration : {Duration(0s), Duration(1ms), Duration(90s), Duration(60s), Duration(36h)}) {
    EXPECT_EQ(read_duration(show_duration(duration)).value(), duration) << show_duration(duration);
  }
  EXPECT_EQ(show_duration(90s), "90s");
  EXPECT_EQ(show_duration(15min), "15m");
  for (const std::uint64_t bytes : {0ULL, 1ULL, 1025ULL, 1ULL << 20, 3ULL << 30}) {
    EXPECT_EQ(read_size(show_size(bytes)).value(), bytes) << show_size(bytes);
  }
}

}  // namespace
}  // namespace tgkeep::app
