// `tgkeep serve` is killed at the moment a bot is told that its settlement counts: 200 means that it is on
// the disk.

#include <gtest/gtest.h>

#include <atomic>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <csignal>
#include <future>
#include <map>
#include <set>
#include <string>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

namespace json = boost::json;

constexpr int kChats = 12;
constexpr int kLives = 6;

/// What the bot has in hand: text by number.
using Hand = std::map<std::int64_t, std::string>;

class SettleCrash : public ServeRoom {
 protected:
  static std::string face_at(Process& process) {
    if (!process.wait_for_line(" face_opened ")) ADD_FAILURE() << process.output();
    const std::string& output = process.output();
    const std::size_t at = output.find("api_root=", output.find(" face_opened ")) + 9;
    return output.substr(at, output.find_first_of(" \n", at) - at) + "/settle/bot" + std::string(kBotToken) +
           "/";
  }
  static Hand poll(const std::string& bot, std::int64_t offset, int timeout) {
    const http::ClientResponse response =
        post(bot + "getUpdates", {},
             R"({"offset":)" + std::to_string(offset) + R"(,"timeout":)" + std::to_string(timeout) + "}");
    EXPECT_EQ(response.status, 200) << response.body;
    Hand hand;
    const json::value answer = json::parse(response.body);
    for (const json::value& update : answer.at("result").as_array()) {
      hand.emplace(update.at("update_id").as_int64(), update.at("message").at("text").as_string());
    }
    return hand;
  }
  /// 0 when the process was gone before it answered.
  static int status_of(const std::string& url, const std::string& body) {
    try {
      return post(url, {}, body).status;
    } catch (const std::exception&) {
      return 0;
    }
  }
  static std::string done(std::int64_t number) {
    return R"({"update_id":)" + std::to_string(number) + R"(,"action":"done"})";
  }
  json::value inbox() const {
    Process shown({program(), "status", "--json"}, environment());
    EXPECT_EQ(shown.wait(), 0) << shown.output();
    return json::parse(shown.output()).at("bots").at(0).at("inbox");
  }
};

// All of its hand is settled at once, and it is killed when the first answer is there: of the others some are
// written and some are not, and which is known of those answered only.
TEST_F(SettleCrash, P4_P6_what_was_settled_with_200_never_comes_again_whenever_tgkeep_is_killed) {
  Environment environment = this->environment({{"TGKEEP_HANDLER", "pull"}, {"TGKEEP_DRAIN", "1s"}});
  environment.emplace("TGKEEP_FACE_LISTEN", "127.0.0.1:0");
  std::set<std::string> settled;
  for (int life = 1; life <= kLives; ++life) {
    Process gateway({program(), "serve"}, environment);
    const std::string bot = face_at(gateway);
    for (int chat = 1; chat <= kChats; ++chat) {
      telegram_.send(chat, std::to_string(life) + "." + std::to_string(chat));
    }
    Hand hand = poll(bot, 0, 50);
    while (hand.size() < static_cast<std::size_t>(kChats)) {
      hand.merge(poll(bot, hand.rbegin()->first + 1, 50));
    }
    for (const auto& [number, text] : hand) ASSERT_FALSE(settled.contains(text)) << text << " came again";
    std::promise<void> answered;
    std::atomic_flag first = ATOMIC_FLAG_INIT;
    std::map<std::string, std::future<int>> asked;
    for (const auto& [number, text] : hand) {
      auto settle = [&, number = number] {
        const int status = status_of(bot + "tgkeep/settle", done(number));
        if (status == 200 && !first.test_and_set()) answered.set_value();
        return status;
      };
      asked.emplace(text, std::async(std::launch::async, settle));
    }
    ASSERT_EQ(answered.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
    for (auto& [text, status] : asked) {
      if (status.get() == 200) settled.insert(text);
    }
    ASSERT_GE(settled.size(), static_cast<std::size_t>(life));
  }
  Process gateway({program(), "serve"}, environment);
  const std::string bot = face_at(gateway);
  const std::int64_t total = kLives * kChats;
  std::int64_t offset = 0;
  while (inbox().at("done").as_int64() < total) {
    const Hand hand = poll(bot, offset, 1);
    for (const auto& [number, text] : hand) {
      EXPECT_FALSE(settled.contains(text)) << text << " came again";
      EXPECT_EQ(status_of(bot + "tgkeep/settle", done(number)), 200);
      offset = number + 1;
    }
  }
  stop(gateway);
}

TEST_F(SettleCrash, P3_P4_what_the_last_life_did_not_answer_is_settled_in_the_next_and_then_is_written) {
  Environment environment = this->environment({{"TGKEEP_HANDLER", "pull"}, {"TGKEEP_DRAIN", "1s"}});
  environment.emplace("TGKEEP_FACE_LISTEN", "127.0.0.1:0");
  Hand hand;
  {
    Process gateway({program(), "serve"}, environment);
    const std::string bot = face_at(gateway);
    telegram_.send(1, "handled");
    hand = poll(bot, 0, 50);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  {
    Process gateway({program(), "serve"}, environment);
    const std::string bot = face_at(gateway);
    EXPECT_TRUE(poll(bot, hand.begin()->first + 1, 0).empty());
    EXPECT_EQ(status_of(bot + "tgkeep/settle", done(hand.begin()->first)), 200);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  EXPECT_EQ(inbox().at("done").as_int64(), 1);
}

TEST_F(SettleCrash, P4_P6_what_was_settled_with_200_at_its_settle_url_never_comes_again) {
  ReceiverThread bot([](const http::ServerRequest&) { return http::ServerReply(202); });
  const int port = free_port();
  const std::string settle_url = "http://127.0.0.1:" + std::to_string(port) + "/settle/";
  const Environment environment = push_environment(bot.url(), {{"TGKEEP_PUSH_ACCEPT_202", "true"},
                                                               {"TGKEEP_DRAIN", "1s"},
                                                               {"TGKEEP_LISTEN_PORT", std::to_string(port)},
                                                               {"TGKEEP_PUSH_SETTLE_URL", settle_url}});
  for (int life = 0; life < kLives; ++life) {
    Process gateway({program(), "serve"}, environment);
    telegram_.send(1, std::to_string(life));
    const http::ServerRequest request = bot.request(static_cast<std::size_t>(life));
    EXPECT_NE(request.body.find("\"text\":\"" + std::to_string(life)), std::string::npos) << request.body;
    const std::string url = *http::find_header(request.headers, "Tgkeep-Settle-Url");
    int status = 202;
    while (status == 202) status = status_of(url, R"({"action":"done"})");
    EXPECT_EQ(status, 200);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  EXPECT_EQ(bot.count(), static_cast<std::size_t>(kLives));
  EXPECT_EQ(inbox().at("done").as_int64(), kLives);
}

}  // namespace
}  // namespace tgkeep::test
