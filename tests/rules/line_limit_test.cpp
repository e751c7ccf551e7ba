#include "rules/line_limit.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

TEST(LineLimit, P11_one_line_a_second_and_the_next_says_how_many_were_kept_back) {
  LineLimit limit;
  const MonoTime start{100h};
  EXPECT_EQ(limit.ask(start), 0);
  for (int i = 1; i < 1000; ++i) EXPECT_EQ(limit.ask(start + i * 1ms), std::nullopt);
  EXPECT_EQ(limit.ask(start + 1s), 999);
  EXPECT_EQ(limit.ask(start + 2s), 0);
}

}  // namespace
}  // namespace tgkeep::rules
