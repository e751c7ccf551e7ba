#include "rules/flood_spread.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;

TEST(FloodSpread, five_chats_in_a_row_mean_the_whole_bot_for_the_shortest_of_their_waits) {
  FloodSpread spread;
  const MonoTime now{};
  EXPECT_FALSE(spread.flooded("1", 60s, now));
  EXPECT_FALSE(spread.flooded("2", 5s, now + 100ms));
  EXPECT_FALSE(spread.flooded("3", 9s, now + 200ms));
  EXPECT_FALSE(spread.flooded("4", 8s, now + 300ms));
  EXPECT_EQ(spread.flooded("5", 7s, now + 400ms), Duration(5s));
  EXPECT_FALSE(spread.flooded("6", 7s, now + 500ms)) << "it counts from the start again";
}

TEST(FloodSpread, one_chat_again_and_again_means_only_itself) {
  FloodSpread spread;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(spread.flooded("1", 60s, MonoTime{} + i * 10ms));
}

TEST(FloodSpread, a_message_that_gets_through_or_a_second_of_peace_shows_that_it_is_not_all) {
  FloodSpread spread;
  const MonoTime now{};
  for (const char* const chat : {"1", "2", "3", "4"}) EXPECT_FALSE(spread.flooded(chat, 60s, now));
  spread.passed();
  for (const char* const chat : {"5", "6", "7", "8"}) EXPECT_FALSE(spread.flooded(chat, 60s, now));
  EXPECT_FALSE(spread.flooded("9", 60s, now + 1001ms));
}

}  // namespace
}  // namespace tgkeep::rules
