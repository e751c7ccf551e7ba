// Eight processes share the work of one bot; one of them is killed in the middle of it (M21).

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/serve_room.hpp"

namespace tgkeep::test {
namespace {

constexpr int kChats = 10;
constexpr int kPerChat = 30;
constexpr int kHeldChat = 3;

/// What the bot's processes said, line by line.
class Work {
 public:
  explicit Work(const std::string& output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) read(line);
  }

  std::map<int, std::vector<std::int64_t>> begun;    ///< updates by chat, in order
  std::map<std::int64_t, std::vector<int>> workers;  ///< that began an update
  std::set<std::int64_t> ended;
  std::vector<std::string> faults;  ///< begun while another of the chat was handled

 private:
  void read(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "begin") {
      int worker = 0;
      int chat = 0;
      std::int64_t update = 0;
      words >> worker >> update >> chat;
      const auto [open, first] = open_.try_emplace(chat, update);
      if (!first && open->second != update) faults.push_back(line);
      begun[chat].push_back(update);
      workers[update].push_back(worker);
      chats_[update] = chat;
    } else if (what == "end") {
      std::int64_t update = 0;
      words >> update;
      ended.insert(update);
      open_.erase(chats_[update]);
    }
  }
  std::map<int, std::int64_t> open_;
  std::map<std::int64_t, int> chats_;
};

class Prefork : public ServeRoom {};

TEST_F(Prefork, M21_P3_P5_one_of_eight_workers_is_killed_and_its_update_is_redone_in_order) {
  Process bot({TGKEEP_PREFORK_BOT}, {});
  ASSERT_TRUE(bot.wait_for_line("listening ")) << bot.output();
  std::istringstream said(bot.output());
  std::string word;
  int port = 0;
  said >> word >> port;
  for (int i = 0; i < kPerChat; ++i) {
    for (int chat = 1; chat <= kChats; ++chat) {
      telegram_.send(chat, chat == kHeldChat && i == kPerChat / 2 ? "hold" : "work");
    }
  }
  Process gateway({program(), "serve"}, push_environment("http://127.0.0.1:" + std::to_string(port) + "/"));

  // All but what waits behind the held one is handled meanwhile.
  constexpr int kBehind = kPerChat - kPerChat / 2;
  for (int i = 0; i < kChats * kPerChat - kBehind; ++i) ASSERT_TRUE(bot.wait_for_line("end "));
  const std::string& output = bot.output();
  const std::size_t at = output.find("holding ");
  ASSERT_NE(at, std::string::npos) << output;
  const int held = std::stoi(output.substr(at + 8));
  ::kill(held, SIGKILL);
  for (int i = 0; i < kBehind; ++i) ASSERT_TRUE(bot.wait_for_line("end ")) << output;
  stop(gateway);

  const Work work(bot.output());
  EXPECT_EQ(work.faults, std::vector<std::string>());
  EXPECT_EQ(work.ended.size(), static_cast<std::size_t>(kChats * kPerChat));
  std::set<int> workers;
  std::vector<std::int64_t> repeated;
  for (const auto& [update, who] : work.workers) {
    workers.insert(who.begin(), who.end());
    if (who.size() > 1) repeated.push_back(update);
  }
  EXPECT_EQ(workers.size(), 8U) << "not all took part";
  ASSERT_EQ(repeated.size(), 1U);
  EXPECT_EQ(work.workers.at(repeated.front()).front(), held);
  EXPECT_NE(work.workers.at(repeated.front()).back(), held);
  for (const auto& [chat, updates] : work.begun) {
    EXPECT_TRUE(std::ranges::is_sorted(updates)) << "chat " << chat;
  }
}

}  // namespace
}  // namespace tgkeep::test
