#include "emulator/flood_limits.hpp"

#include <gtest/gtest.h>

#include "emulator/bot_server.hpp"
#include "rooms/emulator/api_scene.hpp"

namespace tgkeep::emulator {
namespace {

using namespace std::chrono_literals;

constexpr MonoTime start{};

TEST(FloodLimits, B29_a_short_burst_to_a_chat_passes_then_one_a_second_is_let_through_late) {
  FloodLimits limits;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limits.admit(5, false, start).wait, 0s);
  EXPECT_EQ(limits.admit(5, false, start).wait, 1s);
  EXPECT_EQ(limits.admit(5, false, start).wait, 2s);
  EXPECT_EQ(limits.admit(6, false, start).wait, 0s) << "another chat does not wait";
}

TEST(FloodLimits, B29_waits_beyond_eight_seconds_are_refused_and_cost_nothing) {
  FloodLimits limits;
  for (int i = 0; i < 11; ++i) EXPECT_EQ(limits.admit(5, false, start).retry_after, 0s) << i;
  EXPECT_EQ(limits.admit(5, false, start).retry_after, 9s);
  EXPECT_EQ(limits.admit(5, false, start).retry_after, 9s);
  EXPECT_EQ(limits.admit(5, false, start + 9s).wait, 0s);
}

TEST(FloodLimits, B29_a_group_takes_twenty_a_minute) {
  FloodLimits limits;
  MonoTime now = start;
  for (int i = 0; i < 20; ++i, now += 1s) EXPECT_EQ(limits.admit(-5, false, now).wait, 0s) << i;
  EXPECT_EQ(limits.admit(-5, false, now).retry_after, 40s) << "until the first is a minute old";
  EXPECT_EQ(limits.admit(-5, false, start + 52s).wait, 8s);
  EXPECT_EQ(limits.admit(-5, false, start + 61s).wait, 0s);
  EXPECT_EQ(limits.admit(-6, false, now).wait, 0s);
}

TEST(FloodLimits, B29_thirty_a_second_in_all_unless_paid) {
  FloodLimits limits;
  for (std::int64_t chat = 1; chat <= 30; ++chat) EXPECT_EQ(limits.admit(chat, false, start).wait, 0s);
  EXPECT_GT(limits.admit(31, false, start).wait, 0s);
  EXPECT_EQ(limits.admit(32, true, start).wait, 0s);
}

TEST(FloodLimits, B29_edits_count_and_answers_to_queries_do_not) {
  EXPECT_TRUE(FloodLimits::counts("editMessageText"));
  EXPECT_TRUE(FloodLimits::counts("sendMediaGroup"));
  EXPECT_FALSE(FloodLimits::counts("answerCallbackQuery"));
  EXPECT_FALSE(FloodLimits::counts("sendChatAction"));
}

TEST(FloodLimits, idle_chats_are_forgotten) {
  FloodLimits limits;
  for (std::int64_t chat = 1; chat <= 10'000; ++chat) limits.admit(chat, true, start);
  limits.admit(20'000, true, start + 1h);
  EXPECT_EQ(limits.chats(), 1U);
}

class LimitedServer : public ApiScene {
 protected:
  LimitedServer() : ApiScene(options()) {}
  static BotServerOptions options() {
    BotServerOptions limited;
    limited.flood_limits = true;
    return limited;
  }
};

TEST_F(LimitedServer, B29_a_flood_gets_429_with_retry_after) {
  for (int i = 0; i < 3; ++i) send_text(5, "x");
  for (int i = 0; i < 8; ++i) account.sends.admit(5, false, clock.mono());
  const boost::json::value refused = call("sendMessage", R"({"chat_id":5,"text":"x"})");
  EXPECT_EQ(refused.at("error_code").as_int64(), 429);
  EXPECT_EQ(refused.at("parameters").at("retry_after").as_int64(), 9);
  clock.advance(9s);
  send_text(5, "x");
}

}  // namespace
}  // namespace tgkeep::emulator
