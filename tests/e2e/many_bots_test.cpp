// Several bots in one process.

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class ManyBots : public ServeRoom {
 protected:
  /// Two bots of one file; `more` goes to its top.
  std::string two_bots(const std::string& more = "") const {
    return write("two.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" + folder_.file("stores") +
                                 "\"\n" + more +
                                 "[[bot]]\nname = \"one\"\ntoken_env = \"TOKEN_ONE\"\n"
                                 "[[bot]]\nname = \"two\"\ntoken_env = \"TOKEN_TWO\"\n");
  }
  static Environment tokens(std::string_view one, std::string_view two) {
    return {{"TOKEN_ONE", std::string(one)}, {"TOKEN_TWO", std::string(two)}};
  }
};

TEST_F(ManyBots, each_receives_answers_and_stores_for_itself) {
  Process gateway({program(), "serve", "-c", two_bots()}, tokens(kBotToken, kOtherToken));
  telegram_.send(1, "to one");
  telegram_.send(2, "to two", kOtherToken);
  telegram_.wait_for("sendMessage", 2);
  stop(gateway);
  EXPECT_THAT(telegram_.sent(), UnorderedElementsAre("1:to one", "2:to two"));
  EXPECT_THAT(gateway.output(), AllOf(HasSubstr("bot=4242"), HasSubstr("name=one"), HasSubstr("name=two")));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("stores/4242")));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("stores/4343")));
  Process counts({program(), "status", "-c", two_bots(), "--bot", "two", "--json"},
                 tokens(kBotToken, kOtherToken));
  EXPECT_EQ(counts.wait(), 0) << counts.output();
  EXPECT_THAT(counts.output(), HasSubstr(R"("name":"two")"));
  Process vague({program(), "dead", "ls", "-c", two_bots()}, tokens(kBotToken, kOtherToken));
  EXPECT_EQ(vague.wait(), 2);
  EXPECT_THAT(vague.output(), HasSubstr("(one, two)"));
}

TEST_F(ManyBots, P10_a_token_that_is_refused_suspends_its_bot_only) {
  Process gateway({program(), "serve", "-c", two_bots()},
                  tokens("999:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", kOtherToken));
  ASSERT_TRUE(gateway.wait_for_line("401")) << gateway.output();
  telegram_.send(2, "still here", kOtherToken);
  telegram_.wait_for("sendMessage");
  stop(gateway);
  EXPECT_THAT(telegram_.sent(), testing::ElementsAre("2:still here"));
  EXPECT_THAT(gateway.output(), Not(HasSubstr("BBBBBBBB")));
}

TEST_F(ManyBots, webhooks_of_several_bots_share_the_listener_each_with_path_and_secret_of_its_own) {
  const std::string file =
      write("hooks.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" + folder_.file("stores") +
                              "\"\nsource = \"webhook\"\n[listen]\nport = 0\n"
                              "[[bot]]\nname = \"one\"\ntoken_env = \"TOKEN_ONE\"\nwebhook.path = \"/one\"\n"
                              "webhook.secret_env = \"SECRET_ONE\"\n"
                              "[[bot]]\nname = \"two\"\ntoken_env = \"TOKEN_TWO\"\nwebhook.path = \"/two\"\n"
                              "webhook.secret_env = \"SECRET_TWO\"\n");
  Environment secrets = tokens(kBotToken, kOtherToken);
  secrets.emplace("SECRET_ONE", "secret_one");
  secrets.emplace("SECRET_TWO", "secret_two");
  Process gateway({program(), "serve", "-c", file}, secrets);
  const std::string root = listening_at(gateway);
  telegram_.wait_for("getWebhookInfo", 2);
  EXPECT_EQ(post(root + "/one", {{kSecretHeader, "secret_one"}}, text_update(1, 1, "a")).status, 200);
  EXPECT_EQ(post(root + "/two", {{kSecretHeader, "secret_one"}}, text_update(1, 2, "b")).status, 401);
  EXPECT_EQ(post(root + "/two", {{kSecretHeader, "secret_two"}}, text_update(1, 2, "b")).status, 200);
  telegram_.wait_for("sendMessage", 2);
  stop(gateway);
  EXPECT_THAT(telegram_.sent(), UnorderedElementsAre("1:a", "2:b"));
}

TEST_F(ManyBots, P6_one_whose_slots_are_all_taken_does_not_delay_the_other) {
  ReceiverThread never_settles([](const http::ServerRequest&) { return http::ServerReply(202); });
  const std::string file =
      write("unfair.toml",
            "api_root = \"" + telegram_.root() + "\"\nfolder = \"" + folder_.file("stores") +
                "\"\ndrain = \"0s\"\n[listen]\nport = 0\n"
                "[[bot]]\nname = \"one\"\ntoken_env = \"TOKEN_ONE\"\nhandler = \"push\"\n"
                "inbox.limit = 3\npush.accept_202 = true\npush.settle_url = \"http://127.0.0.1:1/\"\n"
                "push.url = \"" +
                never_settles.url() + "\"\n[[bot]]\nname = \"two\"\ntoken_env = \"TOKEN_TWO\"\n");
  for (int chat = 1; chat <= 300; ++chat) telegram_.send(chat, "flood");
  Process gateway({program(), "serve", "-c", file}, tokens(kBotToken, kOtherToken));
  never_settles.request(2);
  for (int chat = 1; chat <= 20; ++chat) telegram_.send(chat, "answer", kOtherToken);
  telegram_.wait_for("sendMessage", 20);
  EXPECT_EQ(never_settles.count(), 3U);
  gateway.signal(SIGTERM);
  EXPECT_EQ(gateway.wait(), 3) << gateway.output();
}

TEST_F(ManyBots, P9_all_drain_at_the_same_time) {
  // Each bot's push would last for minutes; the drain is one second for both together.
  const int port = free_port();
  ReceiverThread bot([](const http::ServerRequest&) { return http::ServerReply(202); });
  const std::string file = two_bots(
      "handler = \"push\"\ndrain = \"1s\"\n[listen]\nport = " + std::to_string(port) + "\n[push]\nurl = \"" +
      bot.url() + "\"\naccept_202 = true\nsettle_url = \"http://127.0.0.1:" + std::to_string(port) +
      "/settle/\"\n");
  Process gateway({program(), "serve", "-c", file}, tokens(kBotToken, kOtherToken));
  telegram_.send(1, "x");
  telegram_.send(2, "y", kOtherToken);
  bot.request(1);
  gateway.signal(SIGTERM);
  EXPECT_EQ(gateway.wait(), 3) << gateway.output();
  const std::string& said = gateway.output();
  const std::size_t first = said.find("stopped received=1");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_NE(said.find("stopped received=1", first + 1), std::string::npos) << said;
  EXPECT_EQ(said.find("something did not end in time"), std::string::npos) << said;
}

TEST_F(ManyBots, one_whose_store_can_not_be_opened_ends_the_start_with_its_name) {
  write("a-file", "not a folder");
  const std::string file =
      write("bad.toml", "[[bot]]\nname = \"broken\"\ntoken_env = \"TOKEN_ONE\"\nfolder = \"" +
                            folder_.file("a-file") + "/store\"\n");
  Process gateway({program(), "serve", "-c", file}, tokens(kBotToken, kOtherToken));
  EXPECT_EQ(gateway.wait(), 1);
  EXPECT_THAT(gateway.output(), AllOf(HasSubstr("start_failed"), HasSubstr("bot broken: ")));
}

}  // namespace
}  // namespace tgkeep::test
