#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "examples/example_room.hpp"

namespace tgkeep::test {
namespace {

using testing::ElementsAre;
using Example03 = ExampleRoom;

/// Whether lines `begin` and `end` of each user and of each chat alternate.
std::vector<std::string> overlaps(const std::string& output) {
  std::map<std::string, std::string> open;
  std::vector<std::string> faults;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, skip, user, chat;
    words >> what >> skip >> user >> skip >> skip >> chat;
    if (what != "begin" && what != "end") continue;
    for (const std::string& key : {"user " + user, "chat " + chat}) {
      if (open[key] == what) faults.push_back(line);
      open[key] = what;
    }
  }
  return faults;
}

TEST_F(Example03, counts_each_user_exactly_over_all_chats) {
  const auto bot = start("03_sequentialize");
  constexpr int kEach = 20;
  for (int i = 0; i < kEach; ++i) {
    telegram_.send(7, "alone");
    telegram_.send_as(7, -100, "in a group");
    telegram_.send_as(8, -100, "in the same");
  }
  telegram_.wait_for("sendMessage", 3 * kEach);
  stop(*bot);
  const std::string last = "That was your message number " + std::to_string(2 * kEach) + ".";
  EXPECT_EQ(telegram_.sent().size(), 3U * kEach);
  EXPECT_THAT(telegram_.sent(), testing::Contains(testing::EndsWith(":" + last)).Times(1));
  EXPECT_THAT(overlaps(bot->output()), ElementsAre());
}

}  // namespace
}  // namespace tgkeep::test
