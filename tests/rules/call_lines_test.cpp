#include "rules/call_lines.hpp"

#include <gtest/gtest.h>

namespace tgkeep::rules {
namespace {

using namespace std::chrono_literals;
using Rank = CallAsk::Rank;

class CallLinesTest : public testing::Test {
 protected:
  static CallAsk ask(std::string line, Rank rank = Rank::sending) {
    CallAsk ask;
    ask.in_order = rank == Rank::sending || rank == Rank::bulk;
    ask.line = std::move(line);
    ask.rank = rank;
    ask.until = MonoTime{} + 30s;
    return ask;
  }
  std::vector<CallLines::Id> started() {
    std::vector<CallLines::Id> all;
    while (const auto id = lines.start(now)) all.push_back(*id);
    return all;
  }
  std::vector<CallLines::Id> given_up() {
    std::vector<CallLines::Id> all;
    while (const auto id = lines.give_up(now)) all.push_back(*id);
    return all;
  }
  using Ids = std::vector<CallLines::Id>;

  MonoTime now{};
  CallLines lines{CallLimits()};
};

TEST_F(CallLinesTest, the_next_of_a_chat_starts_when_the_one_before_has_ended_and_other_chats_at_once) {
  lines.add(ask("1"), now);
  lines.add(ask("1"), now);
  lines.add(ask("2"), now);
  EXPECT_EQ(started(), (Ids{1, 3}));
  lines.end(3);
  EXPECT_EQ(started(), Ids());
  lines.end(1);
  EXPECT_EQ(started(), Ids{2});
}

TEST_F(CallLinesTest, what_stands_in_no_order_passes_all_and_urgent_ones_go_first) {
  lines.add(ask("1"), now);
  lines.add(ask("1"), now);
  lines.add(ask("1", Rank::reading), now);
  lines.add(ask("answerCallbackQuery", Rank::urgent), now);
  lines.add(ask("answerCallbackQuery", Rank::urgent), now);
  EXPECT_EQ(started(), (Ids{4, 5, 1, 3}));
}

TEST_F(CallLinesTest, a_flood_wait_of_a_chat_leaves_others_alone_and_keeps_the_order_behind_it) {
  lines.add(ask("1"), now);
  lines.add(ask("1"), now);
  EXPECT_EQ(started(), Ids{1});
  lines.hold("1", now + 10s, now);
  lines.again(1, now, now);
  lines.add(ask("2"), now);
  EXPECT_EQ(started(), Ids{3});
  EXPECT_EQ(lines.held(), 1U);
  EXPECT_EQ(lines.next(), now + 10s);
  now += 10s;
  EXPECT_EQ(started(), Ids{1}) << "the one that was told to wait goes first";
  lines.end(1);
  EXPECT_EQ(started(), Ids{2});
  EXPECT_EQ(lines.held(), 0U);
}

TEST_F(CallLinesTest, who_would_wait_too_long_is_given_up_at_once_and_learns_how_long_it_is) {
  lines.add(ask("1"), now);
  lines.add(ask("1"), now);
  EXPECT_EQ(started(), Ids{1});
  lines.hold("1", now + 60s, now);
  lines.end(1);
  EXPECT_EQ(given_up(), Ids{2});
  now += 20s;
  lines.add(ask("1"), now);
  EXPECT_EQ(given_up(), Ids{3});
  EXPECT_EQ(lines.wait_of(ask("1"), now), Duration(40s));
  EXPECT_EQ(lines.wait_of(ask("2"), now), Duration(0s));
}

TEST_F(CallLinesTest, a_flood_wait_of_the_whole_bot_holds_all_but_the_urgent_and_the_reading) {
  lines.hold_all(now + 5s, now);
  lines.add(ask("1"), now);
  lines.add(ask("1", Rank::reading), now);
  lines.add(ask("answerCallbackQuery", Rank::urgent), now);
  lines.add(ask("2", Rank::bulk), now);
  EXPECT_EQ(started(), (Ids{3, 2}));
  EXPECT_EQ(lines.next(), now + 5s);
  now += 5s;
  EXPECT_EQ(started(), (Ids{1, 4}));
}

TEST_F(CallLinesTest, P11_waiting_is_bounded_in_number_in_bytes_and_in_time) {
  CallLimits limits;
  limits.running = 1;
  limits.waiting = 2;
  limits.bytes = 100;
  lines = CallLines(limits);
  CallAsk large = ask("1");
  large.bytes = 200;
  EXPECT_TRUE(lines.add(large, now)) << "one alone may be larger";
  EXPECT_EQ(started(), Ids{1});
  EXPECT_FALSE(lines.add(large, now));
  lines.end(1);
  EXPECT_TRUE(lines.add(ask("1"), now));
  EXPECT_TRUE(lines.add(ask("2"), now));
  EXPECT_FALSE(lines.add(ask("3"), now));
  EXPECT_EQ(started(), Ids{2});
  EXPECT_TRUE(lines.add(ask("3"), now));
  now += 30s;
  EXPECT_EQ(given_up(), (Ids{3, 4}));
  lines.end(2);
  EXPECT_TRUE(lines.empty());
}

TEST_F(CallLinesTest, urgent_ones_have_room_left_when_all_others_run) {
  CallLimits limits;
  limits.running = 4;
  lines = CallLines(limits);
  for (int i = 0; i < 5; ++i) lines.add(ask(std::to_string(i)), now);
  lines.add(ask("a", Rank::urgent), now);
  lines.add(ask("a", Rank::urgent), now);
  EXPECT_EQ(started(), (Ids{6, 7, 1, 2}));
  lines.add(ask("a", Rank::urgent), now);
  EXPECT_EQ(started(), Ids{8}) << "one more than the limit";
}

TEST_F(CallLinesTest, only_what_is_marked_as_bulk_is_paced) {
  CallLimits limits;
  limits.bulk_rate = 1;
  lines = CallLines(limits);
  for (int i = 0; i < 3; ++i) lines.add(ask(std::to_string(i), Rank::bulk), now);
  for (int i = 3; i < 6; ++i) lines.add(ask(std::to_string(i)), now);
  EXPECT_EQ(started(), (Ids{1, 4, 5, 6}));
  EXPECT_EQ(lines.next(), now + 1s);
  now += 1s;
  EXPECT_EQ(started(), Ids{2});
}

TEST_F(CallLinesTest, a_call_that_is_tried_again_keeps_its_place) {
  lines.add(ask("1"), now);
  lines.add(ask("1"), now);
  EXPECT_EQ(started(), Ids{1});
  lines.again(1, now + 1s, now);
  EXPECT_EQ(started(), Ids());
  EXPECT_EQ(lines.next(), now + 1s);
  now += 1s;
  EXPECT_EQ(started(), Ids{1});
  lines.again(1, now + 60s, now);
  EXPECT_EQ(given_up(), Ids{1}) << "it may not wait so long";
  EXPECT_EQ(started(), Ids{2});
}

TEST_F(CallLinesTest, nothing_is_kept_of_lines_without_calls_and_waits) {
  for (int i = 0; i < 1000; ++i) {
    lines.add(ask(std::to_string(i)), now);
    lines.end(*lines.start(now));
    if (i % 10 == 0) lines.hold(std::to_string(i), now + 1s, now);
  }
  now += 1s;
  EXPECT_EQ(started(), Ids());
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace tgkeep::rules
