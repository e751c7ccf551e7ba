// `tgkeep serve` reads its configuration again while updates flow: nothing is lost, nothing overtakes.

#include <gmock/gmock.h>

#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"
#include "support/unix_ask.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string text_in(const http::ServerRequest& push) {
  const std::size_t at = push.body.find(R"("text":")") + 8;
  return push.body.substr(at, push.body.find('"', at) - at);
}

std::string chat_in(const http::ServerRequest& push) {
  const std::string* const key = http::find_header(push.headers, "Tgkeep-Ordering-Key");
  return key == nullptr ? "" : *key;
}

class ReloadServe : public ServeRoom {
 protected:
  /// The configuration of this test, written anew.
  std::string configure(const std::string& top, const std::string& bots) const {
    return write("tgkeep.toml", "api_root = \"" + telegram_.root() + "\"\nfolder = \"" +
                                    folder_.file("stores") + "\"\nhandler = \"push\"\n" + top + bots);
  }
  static std::string table(const std::string& name, const std::string& token, const std::string& url,
                           const std::string& more = "") {
    return "[[bot]]\nname = \"" + name + "\"\ntoken_env = \"" + token + "\"\npush.url = \"" + url + "\"\n" +
           more;
  }
  static Environment tokens() {
    return {{"TOKEN_ONE", std::string(kBotToken)}, {"TOKEN_TWO", std::string(kOtherToken)}};
  }
  static void reload(Process& gateway, const std::string& expected = "reloaded ") {
    gateway.signal(SIGHUP);
    ASSERT_TRUE(gateway.wait_for_line(expected)) << gateway.output();
  }
  UnixAnswer ask(const std::string& path, const std::string& json = "") const {
    return ask_unix(folder_.file("stores/admin.sock"), path, json);
  }
};

/// What a receiver got, per chat, in the order of arrival.
std::map<std::string, std::vector<std::string>> by_chat(ReceiverThread& receiver) {
  std::map<std::string, std::vector<std::string>> texts;
  for (std::size_t i = 0; i < receiver.count(); ++i) {
    const http::ServerRequest push = receiver.request(i);
    texts[chat_in(push)].push_back(text_in(push));
  }
  return texts;
}

TEST_F(ReloadServe, P1_P3_P5_bots_come_go_and_change_under_load_without_loss_or_overtaking) {
  constexpr int kRounds = 12;
  constexpr int kEach = 12;
  ReceiverThread first([](const http::ServerRequest&) { return http::ServerReply(200); });
  ReceiverThread second([](const http::ServerRequest&) { return http::ServerReply(200); });
  const std::string other = table("two", "TOKEN_TWO", second.url());
  Process gateway({program(), "serve", "-c", configure("", table("one", "TOKEN_ONE", first.url()))},
                  tokens());
  ASSERT_TRUE(gateway.wait_for_line("started ")) << gateway.output();
  int sent = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kEach; ++i, ++sent) {
      telegram_.send(1 + i % 4, std::to_string(sent));
      telegram_.send(1 + i % 4, std::to_string(sent), kOtherToken);
    }
    // One changes in each round, and its store is opened anew in some; the other comes and goes.
    std::string more = "push.concurrency = " + std::to_string(20 + round % 2) + "\n";
    if (round % 4 == 3) more += "reserve = \"" + std::to_string(64 + round) + "MiB\"\n";
    configure("", table("one", "TOKEN_ONE", first.url(), more) + (round % 3 != 2 ? other : ""));
    reload(gateway);
  }
  configure("", table("one", "TOKEN_ONE", first.url()) + other);
  reload(gateway);
  first.request(static_cast<std::size_t>(sent) - 1);
  second.request(static_cast<std::size_t>(sent) - 1);
  stop(gateway);
  for (ReceiverThread* const receiver : {&first, &second}) {
    EXPECT_EQ(receiver->count(), static_cast<std::size_t>(sent)) << "each once";
    for (const auto& [chat, texts] : by_chat(*receiver)) {
      for (std::size_t i = 1; i < texts.size(); ++i) {
        ASSERT_LT(std::stoi(texts[i - 1]), std::stoi(texts[i])) << chat << " at " << i;
      }
    }
  }
  EXPECT_THAT(gateway.output(),
              AllOf(HasSubstr("bot two (4343) was added"), HasSubstr("bot two (4343) was removed"),
                    HasSubstr("was started again with other push.concurrency")));
}

TEST_F(ReloadServe, P1_P3_a_webhook_that_is_being_changed_asks_telegram_to_come_again) {
  constexpr int kRounds = 8;
  ReceiverThread receiver([](const http::ServerRequest&) { return http::ServerReply(200); });
  const auto hook = [&](int concurrency) {
    return configure("source = \"webhook\"\n[listen]\nport = 0\n",
                     table("one", "TOKEN_ONE", receiver.url(),
                           "webhook.path = \"/one\"\nwebhook.secret_env = \"SECRET\"\npush.concurrency = " +
                               std::to_string(concurrency) + "\n"));
  };
  Environment environment = tokens();
  environment.emplace("SECRET", kSecret);
  // A line for each refusal would fill the pipe, which is read only once a round.
  environment.emplace("TGKEEP_LOG_UPDATES", "false");
  Process gateway({program(), "serve", "-c", hook(10)}, environment);
  const std::string url = listening_at(gateway) + "/one";
  ASSERT_TRUE(gateway.wait_for_line("started ")) << gateway.output();
  int id = 0;
  for (int round = 0; round < kRounds; ++round) {
    hook(11 + round % 2);
    gateway.signal(SIGHUP);
    for (int i = 0; i < 30; ++i) {
      ++id;
      const std::string update = text_update(id, 1, std::to_string(id));
      // As Telegram does: again and again until it is taken.
      for (;;) {
        const http::ClientResponse answer = post(url, {{kSecretHeader, kSecret}}, update);
        if (answer.status == 200) break;
        ASSERT_EQ(answer.status, 503) << answer.body;
        ASSERT_NE(http::find_header(answer.headers, "Retry-After"), nullptr);
      }
    }
    ASSERT_TRUE(gateway.wait_for_line("reloaded ")) << gateway.output();
  }
  receiver.request(static_cast<std::size_t>(id) - 1);
  stop(gateway);
  ASSERT_EQ(receiver.count(), static_cast<std::size_t>(id));
  for (int i = 0; i < id; ++i) {
    EXPECT_EQ(text_in(receiver.request(static_cast<std::size_t>(i))), std::to_string(i + 1));
  }
}

TEST_F(ReloadServe, what_is_refused_leaves_all_as_it_was_and_says_why) {
  ReceiverThread receiver([](const http::ServerRequest&) { return http::ServerReply(200); });
  const std::string one = table("one", "TOKEN_ONE", receiver.url());
  Process gateway({program(), "serve", "-c", configure("", one)}, tokens());
  ASSERT_TRUE(gateway.wait_for_line("started ")) << gateway.output();
  configure("limt = 3\n", one);
  reload(gateway, "reload_failed");
  EXPECT_THAT(gateway.output(), HasSubstr("unknown setting limt"));
  configure("", one + table("two", "NO_SUCH_TOKEN", receiver.url()));
  reload(gateway, "reload_failed");
  EXPECT_THAT(gateway.output(), HasSubstr("bot two: no bot token"));
  configure("handler_threads = 3\n[log]\nformat = \"json\"\n", one);
  reload(gateway, "reload_failed");
  EXPECT_THAT(gateway.output(), HasSubstr("log.format is read only at the start"));
  configure("handler_threads = 3\n[admin]\nsocket = \"off\"\n", one);
  reload(gateway, "reload_failed");
  EXPECT_THAT(gateway.output(), HasSubstr("handler_threads, admin.socket are read only at the start"));
  configure("drain = \"7s\"\n[log]\nlevel = \"debug\"\nupdates = false\n", one);
  reload(gateway);
  EXPECT_THAT(gateway.output(), AllOf(HasSubstr("log.level is debug"), HasSubstr("log.updates is false"),
                                      HasSubstr("drain is 7000 ms"), Not(HasSubstr("started again"))));
  telegram_.send(1, "still here");
  EXPECT_EQ(text_in(receiver.request(0)), "still here");
  stop(gateway);
  EXPECT_THAT(gateway.output(), AllOf(HasSubstr("drain_s=7.0"), Not(HasSubstr(" delivery "))));
}

TEST_F(ReloadServe, P3_kill_9_in_the_middle_of_a_reload_loses_nothing) {
  ReceiverThread never_settles([](const http::ServerRequest&) { return http::ServerReply(202); });
  ReceiverThread takes([](const http::ServerRequest&) { return http::ServerReply(200); });
  const std::string slow = "push.accept_202 = true\npush.settle_url = \"http://127.0.0.1:1/\"\n";
  const std::string listen = "[listen]\nport = 0\n";
  {
    Process gateway(
        {program(), "serve", "-c", configure(listen, table("one", "TOKEN_ONE", never_settles.url(), slow))},
        tokens());
    for (int i = 0; i < 30; ++i) telegram_.send(1 + i % 3, std::to_string(i));
    never_settles.request(2);
    configure(listen, table("one", "TOKEN_ONE", takes.url()) + table("two", "TOKEN_TWO", takes.url()));
    gateway.signal(SIGHUP);
    ASSERT_TRUE(gateway.wait_for_line("poll_stopped")) << gateway.output();
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  Process gateway({program(), "serve", "-c", folder_.file("tgkeep.toml")}, tokens());
  takes.request(29);
  stop(gateway);
  EXPECT_EQ(takes.count(), 30U);
  for (const auto& [chat, texts] : by_chat(takes)) {
    for (std::size_t i = 1; i < texts.size(); ++i)
      ASSERT_LT(std::stoi(texts[i - 1]), std::stoi(texts[i])) << chat;
  }
}

TEST_F(ReloadServe, P3_P5_a_pause_holds_through_kill_9_and_what_came_meanwhile_is_delivered_in_order) {
  ReceiverThread receiver([](const http::ServerRequest&) { return http::ServerReply(200); });
  const std::string file = configure("", table("one", "TOKEN_ONE", receiver.url()));
  {
    Process gateway({program(), "serve", "-c", file}, tokens());
    ASSERT_TRUE(gateway.wait_for_line("started ")) << gateway.output();
    telegram_.send(1, "0");
    receiver.request(0);
    EXPECT_EQ(ask("/api/bots/-/pause", "{}").status, 200);
    for (int i = 1; i <= 5; ++i) telegram_.send(1, std::to_string(i));
    telegram_.wait_for("getUpdates", 2);
    while (ask("/api/status").body.find(R"("pending":5)") == std::string::npos) {
    }
    gateway.signal(SIGKILL);
    gateway.wait();
  }
  Process gateway({program(), "serve", "-c", file}, tokens());
  ASSERT_TRUE(gateway.wait_for_line("paused ")) << gateway.output();
  telegram_.send(1, "6");
  while (ask("/api/status").body.find(R"("pending":6)") == std::string::npos) {
  }
  EXPECT_EQ(receiver.count(), 1U);
  EXPECT_EQ(ask("/api/bots/one/resume", "{}").status, 200);
  receiver.request(6);
  // Over TCP as well when it is asked for: only at the start.
  stop(gateway);
  EXPECT_THAT(by_chat(receiver).at("chat:1"), ElementsAre("0", "1", "2", "3", "4", "5", "6"));
}

TEST_F(ReloadServe, the_door_needs_a_token_over_tcp_and_says_what_is_in_its_way) {
  const std::string one = table("one", "TOKEN_ONE", "http://127.0.0.1:1/");
  const int port = free_port();
  const std::string listen = "[admin]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n";
  {
    Process naked({program(), "serve", "-c", configure(listen, one)}, tokens());
    EXPECT_EQ(naked.wait(), 2);
    EXPECT_THAT(naked.output(), HasSubstr("admin.listen needs a token"));
  }
  Environment environment = tokens();
  environment.emplace("TGKEEP_ADMIN_TOKEN", "0123456789abcdef0123456789abcdef");
  Process gateway({program(), "serve", "-c", folder_.file("tgkeep.toml")}, environment);
  ASSERT_TRUE(gateway.wait_for_line("started ")) << gateway.output();
  const std::string url = "http://127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(get(url + "/healthz").status, 200);
  EXPECT_EQ(get(url + "/api/status").status, 401);
  environment.emplace("TGKEEP_FOLDER", folder_.file("elsewhere"));
  Process late({program(), "serve"}, [&] {
    Environment same_port = environment;
    same_port.emplace("TGKEEP_TOKEN", std::string(kOtherToken));
    same_port.emplace("TGKEEP_API_ROOT", telegram_.root());
    same_port.emplace("TGKEEP_ADMIN_LISTEN", "127.0.0.1:" + std::to_string(port));
    return same_port;
  }());
  EXPECT_EQ(late.wait(), 1);
  EXPECT_THAT(late.output(), AllOf(HasSubstr("start_failed"), HasSubstr(std::to_string(port))));
  stop(gateway);
  EXPECT_THAT(gateway.output(), Not(HasSubstr("0123456789abcdef")));
}

}  // namespace
}  // namespace tgkeep::test
