#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "examples/example_room.hpp"

namespace tgkeep::test {
namespace {

constexpr int kUsers = 3;
constexpr int kGroups = 5;
constexpr int kEach = 4;  // messages of each user in each group

using Example03 = ExampleRoom;

TEST_F(Example03, M6_updates_of_a_user_and_of_a_chat_are_handled_one_after_another_and_counted_exactly) {
  const auto bot = start("03_sequentialize");
  for (int i = 0; i < kEach; ++i) {
    for (int group = 1; group <= kGroups; ++group) {
      for (int user = 1; user <= kUsers; ++user) telegram_.send_as(user, -group, "hi");
    }
  }
  const std::size_t total = kUsers * kGroups * kEach;
  telegram_.wait_for("sendMessage", total);
  stop(*bot);

  std::multiset<std::string> told;
  for (const std::string& text : telegram_.sent()) told.insert(text.substr(text.find(':') + 1));
  EXPECT_EQ(told.size(), total);
  for (int number = 1; number <= kGroups * kEach; ++number) {
    EXPECT_EQ(told.count("That was your message number " + std::to_string(number) + "."), kUsers);
  }

  std::map<std::string, std::string> busy;  // user or chat → whose handling has begun
  std::istringstream lines(bot->output());
  std::size_t begun = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, skip, user, in, chat;
    words >> what >> skip >> user >> in >> skip >> chat;
    if (in != "in") continue;
    begun += what == "begin" ? 1 : 0;
    for (const std::string& key : {"user " + user, "chat " + chat}) {
      EXPECT_EQ(busy[key], what == "begin" ? "" : line.substr(4)) << key << ": " << line;
      busy[key] = what == "begin" ? line.substr(6) : "";
    }
  }
  EXPECT_EQ(begun, total);
}

}  // namespace
}  // namespace tgkeep::test
