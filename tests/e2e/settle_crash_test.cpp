// `tgkeep serve` is killed at the moment a bot is told that its settlement counts: 200 means that it is on
// the disk.

#include <gtest/gtest.h>

#include <atomic>
#include <boost/json/value.hpp>
#include <chrono>
#include <csignal>
#include <future>
#include <map>
#include <set>
#include <string>

#include "e2e/face_serve_room.hpp"

namespace tgkeep::test {
namespace {

constexpr int kChats = 12;
constexpr int kLives = 6;

/// What the bot has in hand: text by number.
using Hand = std::map<std::int64_t, std::string>;

class SettleCrash : public FaceServe {
 protected:
  /// The API root of a bot that settles.
  static std::string root_of(Process& process) { return face_at(process) + "/settle"; }
  static Hand poll(const std::string& root, std::int64_t offset, int timeout) {
    const Updates updates = FaceServe::poll(root, offset, kBotToken, timeout);
    return Hand(updates.begin(), updates.end());
  }
  /// 0 when the process was gone before it answered.
  static int status_of(const std::string& url, const std::string& body) {
    try {
      return post(url, {}, body).status;
    } catch (const std::exception&) {
      return 0;
    }
  }
  static int settle(const std::string& root, std::int64_t number) {
    const std::string done = R"({"update_id":)" + std::to_string(number) + R"(,"action":"done"})";
    return status_of(root + "/bot" + std::string(kBotToken) + "/tgkeep/settle", done);
  }
  json::value inbox() const { return status(environment()).at("inbox"); }
};

// All of its hand is settled at once, and it is killed when the first answer is there: of the others some are
// written and some are not, and which is known of those answered only.
TEST_F(SettleCrash, P4_P6_what_was_settled_with_200_never_comes_again_whenever_tgkeep_is_killed) {
  const Environment environment = pull_environment();
  std::set<std::string> settled;
  for (int life = 1; life <= kLives; ++life) {
    Process gateway({program(), "serve"}, environment);
    const std::string root = root_of(gateway);
    for (int chat = 1; chat <= kChats; ++chat) {
      telegram_.send(chat, std::to_string(life) + "." + std::to_string(chat));
    }
    Hand hand = poll(root, 0, 50);
    while (hand.size() < static_cast<std::size_t>(kChats)) {
      hand.merge(poll(root, hand.rbegin()->first + 1, 50));
    }
    for (const auto& [number, text] : hand) ASSERT_FALSE(settled.contains(text)) << text << " came again";
    std::promise<void> answered;
    std::atomic_flag first = ATOMIC_FLAG_INIT;
    std::map<std::string, std::future<int>> asked;
    for (const auto& [number, text] : hand) {
      auto ask = [&, number = number] {
        const int status = settle(root, number);
        if (status == 200 && !first.test_and_set()) answered.set_value();
        return status;
      };
      asked.emplace(text, std::async(std::launch::async, ask));
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
  const std::string root = root_of(gateway);
  const std::int64_t total = kLives * kChats;
  std::int64_t offset = 0;
  while (inbox().at("done").as_int64() < total) {
    const Hand hand = poll(root, offset, 1);
    for (const auto& [number, text] : hand) {
      EXPECT_FALSE(settled.contains(text)) << text << " came again";
      EXPECT_EQ(settle(root, number), 200);
      offset = number + 1;
    }
  }
  stop(gateway);
}

TEST_F(SettleCrash, P3_P4_what_the_last_life_did_not_answer_is_settled_in_the_next_and_then_is_written) {
  const Environment environment = pull_environment();
  Hand hand;
  {
    Process gateway({program(), "serve"}, environment);
    const std::string root = root_of(gateway);
    telegram_.send(1, "handled");
    hand = poll(root, 0, 50);
    gateway.signal(SIGKILL);
    EXPECT_EQ(gateway.wait(), -SIGKILL);
  }
  {
    Process gateway({program(), "serve"}, environment);
    const std::string root = root_of(gateway);
    EXPECT_TRUE(poll(root, hand.begin()->first + 1, 0).empty());
    EXPECT_EQ(settle(root, hand.begin()->first), 200);
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
