// `tgkeep serve` with the webhook as its source: the door, the switch to polling and back, the signal to
// reload.

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class WebhookServe : public ServeRoom {};

TEST_F(WebhookServe, P1_P2_an_update_with_the_secret_is_stored_once_and_echoed) {
  Process gateway({program(), "serve"}, webhook_environment());
  const std::string hook = listening_at(gateway) + "/hook";
  telegram_.wait_for("getWebhookInfo");
  const http::Headers headers{{kSecretHeader, kSecret}};
  EXPECT_EQ(post(hook, headers, text_update(7, 1, "hello")).status, 200);
  EXPECT_EQ(post(hook, headers, text_update(7, 1, "hello")).status, 200);
  EXPECT_EQ(post(hook, headers, text_update(8, 1, "bye")).status, 200);
  telegram_.wait_for("sendMessage", 2);
  stop(gateway);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:hello", "1:bye"));
  EXPECT_THAT(gateway.output(), HasSubstr("duplicates=1"));
  EXPECT_THAT(gateway.output(), Not(HasSubstr(kSecret)));
}

TEST_F(WebhookServe, whoever_does_not_know_the_secret_or_the_path_is_refused) {
  Process gateway({program(), "serve"}, webhook_environment());
  const std::string root = listening_at(gateway);
  telegram_.wait_for("getWebhookInfo");
  EXPECT_EQ(post(root + "/hook", {{kSecretHeader, "wrong"}}, text_update(7, 1, "x")).status, 401);
  EXPECT_EQ(post(root + "/hook", {}, text_update(7, 1, "x")).status, 401);
  EXPECT_EQ(post(root + "/other", {{kSecretHeader, kSecret}}, text_update(7, 1, "x")).status, 404);
  EXPECT_EQ(post(root + "/hook/", {{kSecretHeader, kSecret}}, text_update(7, 1, "x")).status, 404);
  EXPECT_EQ(get(root + "/hook").status, 405);
  EXPECT_EQ(post(root + "/hook?x=1", {{kSecretHeader, kSecret}}, text_update(7, 1, "x")).status, 200);
  stop(gateway);
  EXPECT_THAT(gateway.output(), HasSubstr("stopped received=1"));
}

TEST_F(WebhookServe, a_secret_can_change_without_a_loss_while_both_are_in_its_file) {
  Environment both =
      webhook_environment({{"TGKEEP_WEBHOOK_SECRET_FILE", write("secret", "the_new\nthe_old\n")}});
  both.erase("TGKEEP_WEBHOOK_SECRET");
  Process gateway({program(), "serve"}, both);
  const std::string hook = listening_at(gateway) + "/hook";
  telegram_.wait_for("getWebhookInfo");
  EXPECT_EQ(post(hook, {{kSecretHeader, "the_old"}}, text_update(1, 1, "x")).status, 200);
  EXPECT_EQ(post(hook, {{kSecretHeader, "the_new"}}, text_update(2, 1, "x")).status, 200);
  EXPECT_EQ(post(hook, {{kSecretHeader, "the_old the_new"}}, text_update(3, 1, "x")).status / 100, 4);
  stop(gateway);
}

TEST_F(WebhookServe, P2_P5_changing_between_poll_and_webhook_five_times_under_load_loses_nothing) {
  constexpr int kChats = 5;
  const int port = free_port();
  const Environment poll = environment({{"TGKEEP_POLL_TAKE_OVER", "true"}});
  Environment hook =
      webhook_environment({{"TGKEEP_WEBHOOK_OWN", "true"},
                           {"TGKEEP_WEBHOOK_URL", "http://127.0.0.1:" + std::to_string(port) + "/hook"}});
  hook["TGKEEP_LISTEN_PORT"] = std::to_string(port);
  std::map<int, std::vector<std::string>> expected;
  std::size_t total = 0;
  const auto send_some = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const int chat = 1 + static_cast<int>(total) % kChats;
      const std::string text = std::to_string(total++);
      telegram_.send(chat, text);
      expected[chat].push_back(std::to_string(chat) + ":" + text);
    }
  };
  for (int change = 0; change <= 5; ++change) {
    send_some(20);
    Process gateway({program(), "serve"}, change % 2 == 0 ? poll : hook);
    ASSERT_TRUE(gateway.wait_for_line("started")) << gateway.output();
    send_some(20);
    telegram_.wait_for("sendMessage", total - 10);
    send_some(20);  // in the middle of which it stops
    stop(gateway);
  }
  Process last({program(), "serve"}, poll);
  telegram_.wait_for("sendMessage", total);
  stop(last);
  std::map<int, std::vector<std::string>> by_chat;
  for (const std::string& text : telegram_.sent()) by_chat[std::atoi(text.c_str())].push_back(text);
  EXPECT_EQ(by_chat, expected);
}

TEST_F(WebhookServe, a_webhook_of_its_own_is_registered_with_the_secret_and_fed_by_telegram) {
  const int port = free_port();
  Environment own =
      webhook_environment({{"TGKEEP_WEBHOOK_OWN", "true"},
                           {"TGKEEP_WEBHOOK_URL", "http://127.0.0.1:" + std::to_string(port) + "/hook"}});
  own["TGKEEP_LISTEN_PORT"] = std::to_string(port);
  Process gateway({program(), "serve"}, own);
  ASSERT_TRUE(gateway.wait_for_line("webhook_registered")) << gateway.output();
  telegram_.send(1, "hello");
  telegram_.wait_for("sendMessage");
  stop(gateway);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:hello"));
  EXPECT_THAT(gateway.output(), Not(HasSubstr(kSecret)));
}

TEST_F(WebhookServe, sighup_without_any_change_is_told) {
  Process gateway({program(), "serve"}, environment());
  ASSERT_TRUE(gateway.wait_for_line("poll_started")) << gateway.output();
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reloaded changes=0")) << gateway.output();
  stop(gateway);
}

TEST_F(WebhookServe, sighup_reads_the_certificate_again_and_a_bad_one_changes_nothing) {
  const std::string certificate = folder_.file("certificate.pem");
  const std::string key = folder_.file("key.pem");
  const auto make = [&] {
    const std::string subject = "-subj /CN=localhost -keyout \"$0\" -out \"$1\"";
    Process openssl({"/bin/sh", "-c", "exec openssl req -x509 -newkey rsa:2048 -nodes -days 2 " + subject,
                     key, certificate},
                    {});
    return openssl.wait();
  };
  ASSERT_EQ(make(), 0);
  Process gateway({program(), "serve"}, webhook_environment({{"TGKEEP_LISTEN_CERTIFICATE", certificate},
                                                             {"TGKEEP_LISTEN_KEY", key}}));
  ASSERT_TRUE(gateway.wait_for_line(" listening ")) << gateway.output();
  EXPECT_THAT(gateway.output(), HasSubstr("tls=yes"));
  ASSERT_EQ(make(), 0);
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reloaded ")) << gateway.output();
  write("certificate.pem", "nonsense");
  gateway.signal(SIGHUP);
  ASSERT_TRUE(gateway.wait_for_line("reload_failed")) << gateway.output();
  stop(gateway);
}

}  // namespace
}  // namespace tgkeep::test
