// `tgkeep serve` with push as its handler: the request, later settlement, dead letters.

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <string>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string header(const http::ServerRequest& request, std::string_view name) {
  const std::string* const value = http::find_header(request.headers, name);
  return value == nullptr ? "" : *value;
}

class PushServe : public ServeRoom {};

TEST_F(PushServe, P4_P12_webhook_in_push_out_and_the_reply_goes_through_the_outbox) {
  ReceiverThread bot([](const http::ServerRequest&) {
    return http::ServerReply(200, R"({"method":"sendMessage","chat_id":5,"text":"reply"})");
  });
  Environment both = push_environment(bot.url(), {{"TGKEEP_PUSH_SECRET", "what_the_bot_expects"}});
  both.merge(webhook_environment());
  Process gateway({program(), "serve"}, both);
  const std::string hook = listening_at(gateway) + "/hook";
  telegram_.wait_for("getWebhookInfo");
  const std::string update = text_update(7, 5, "hello");
  EXPECT_EQ(post(hook, {{kSecretHeader, kSecret}}, update).status, 200);
  const http::ServerRequest push = bot.request(0);
  EXPECT_EQ(push.method, "POST");
  EXPECT_EQ(push.target, "/bot");
  EXPECT_EQ(push.body, update);
  EXPECT_EQ(header(push, kSecretHeader), "what_the_bot_expects");
  EXPECT_EQ(header(push, "Tgkeep-Update-Id"), "7");
  EXPECT_EQ(header(push, "Tgkeep-Attempt"), "1");
  telegram_.wait_for("sendMessage");
  stop(gateway);
  EXPECT_THAT(telegram_.sent(), ElementsAre("5:reply"));
  EXPECT_THAT(gateway.output(), Not(HasSubstr("what_the_bot_expects")));
}

TEST_F(PushServe, P4_what_a_bot_accepts_with_202_is_done_when_it_settles) {
  ReceiverThread bot([](const http::ServerRequest&) { return http::ServerReply(202); });
  const int port = free_port();
  const std::string settle_url = "http://127.0.0.1:" + std::to_string(port) + "/settle/";
  Process gateway({program(), "serve"},
                  push_environment(bot.url(), {{"TGKEEP_PUSH_ACCEPT_202", "true"},
                                               {"TGKEEP_LISTEN_PORT", std::to_string(port)},
                                               {"TGKEEP_PUSH_SETTLE_URL", settle_url}}));
  telegram_.send(1, "first");
  telegram_.send(1, "second");
  const std::string first = header(bot.request(0), "Tgkeep-Settle-Url");
  ASSERT_THAT(first, testing::StartsWith(settle_url));
  EXPECT_EQ(bot.count(), 1U);
  EXPECT_EQ(post(settle_url + "4242/no-such-token", {}, R"({"action":"done"})").status, 404);
  EXPECT_EQ(post(first, {}, R"({"action":"renew"})").status / 100, 2);
  EXPECT_EQ(post(first, {}, R"({"action":"done"})").status / 100, 2);
  const http::ServerRequest second = bot.request(1);
  EXPECT_THAT(second.body, HasSubstr("second"));
  // A drain can still be settled.
  gateway.signal(SIGTERM);
  ASSERT_TRUE(gateway.wait_for_line("stopping")) << gateway.output();
  EXPECT_EQ(post(header(second, "Tgkeep-Settle-Url"), {}, R"({"action":"done"})").status / 100, 2);
  EXPECT_EQ(gateway.wait(), 0) << gateway.output();
  Process counts({program(), "status", "--json"}, environment());
  EXPECT_EQ(counts.wait(), 0);
  EXPECT_THAT(counts.output(),
              HasSubstr(R"("inbox":{"stored":2,"pending":0,"in_flight":0,"retrying":0,"held":0,"done":2,)"));
}

TEST_F(PushServe, P4_P8_a_dead_letter_is_listed_put_back_and_handled) {
  std::atomic<int> status = 410;
  ReceiverThread bot([&status](const http::ServerRequest&) { return http::ServerReply(status); });
  const Environment environment = push_environment(bot.url(), {{"TGKEEP_PUSH_STATUSES", "410=dead"}});
  {
    Process gateway({program(), "serve"}, environment);
    telegram_.send(1, "hopeless");
    telegram_.send(1, "too");
    bot.request(1);
    stop(gateway);
  }
  Process list({program(), "dead", "list"}, environment);
  EXPECT_EQ(list.wait(), 0);
  EXPECT_THAT(list.output(), testing::AllOf(HasSubstr("dead (status_410)"), HasSubstr("chat:1")));
  Process unknown({program(), "dead", "retry", "999"}, environment);
  EXPECT_EQ(unknown.wait(), 4);
  Process vague({program(), "dead", "retry"}, environment);
  EXPECT_EQ(vague.wait(), 2);
  Process retry({program(), "dead", "retry", "--all"}, environment);
  EXPECT_EQ(retry.wait(), 0) << retry.output();
  status = 200;
  Process gateway({program(), "serve"}, environment);
  EXPECT_THAT(bot.request(2).body, HasSubstr("hopeless"));
  EXPECT_THAT(bot.request(3).body, HasSubstr("too"));
  stop(gateway);
  Process counts({program(), "status", "--json"}, environment);
  EXPECT_EQ(counts.wait(), 0);
  EXPECT_THAT(counts.output(), HasSubstr(R"("done":2)"));
}

TEST_F(PushServe, P7_P10_a_bot_that_is_down_for_a_while_gets_everything_afterwards_in_order) {
  const int port = free_port();
  Process gateway({program(), "serve"},
                  push_environment("http://127.0.0.1:" + std::to_string(port) + "/bot"));
  telegram_.send(1, "first");
  telegram_.send(1, "second");
  ASSERT_TRUE(gateway.wait_for_line("target_paused")) << gateway.output();
  ReceiverThread bot([](const http::ServerRequest&) { return http::ServerReply(200); }, port);
  EXPECT_THAT(bot.request(0).body, HasSubstr("first"));
  EXPECT_EQ(header(bot.request(0), "Tgkeep-Attempt"), "1");
  EXPECT_THAT(bot.request(1).body, HasSubstr("second"));
  stop(gateway);
}

TEST_F(PushServe, private_addresses_are_refused_unless_they_are_listed) {
  Process gateway({program(), "serve"}, push_environment("http://10.255.255.1:1/bot"));
  telegram_.send(1, "hello");
  ASSERT_TRUE(gateway.wait_for_line("10.255.255.1 is not allowed")) << gateway.output();
  stop(gateway);
}

}  // namespace
}  // namespace tgkeep::test
