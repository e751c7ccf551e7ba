#include "emulator/traffic.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "emulator/samples.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::emulator {
namespace {

TEST(Traffic, all_samples_are_built_in) {
  EXPECT_GE(samples().size(), 180U);
  for (const Sample& sample : samples())
    EXPECT_NE(sample.name.find("__"), std::string_view::npos) << sample.name;
}

TEST(Traffic, every_update_is_ordered_by_the_chat_it_says) {
  Traffic traffic(3, 200);
  std::set<std::int64_t> chats;
  std::set<std::string_view> kinds;
  for (int i = 0; i < 5000; ++i) {
    const TrafficUpdate update = traffic.next();
    std::string raw = "{\"update_id\":7,\"" + std::string(update.kind) + "\":" + update.body + "}";
    const auto read = telegram::read_update(BotId(1), WallTime{}, std::move(raw));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->kind, update.kind);
    ASSERT_FALSE(read->keys.empty());
    EXPECT_EQ(read->keys.front().text(), "chat:" + std::to_string(update.chat));
    EXPECT_FALSE(read->answer_expires);
    chats.insert(update.chat);
    kinds.insert(update.kind);
  }
  EXPECT_EQ(chats.size(), 200U);
  EXPECT_GE(kinds.size(), 8U);
}

TEST(Traffic, the_same_seed_gives_the_same_updates) {
  Traffic one(5, 100);
  Traffic two(5, 100);
  Traffic other(6, 100);
  bool differs = false;
  for (int i = 0; i < 200; ++i) {
    const TrafficUpdate a = one.next();
    const TrafficUpdate b = two.next();
    EXPECT_EQ(a.body, b.body);
    EXPECT_EQ(a.chat, b.chat);
    differs = differs || other.next().body != a.body;
  }
  EXPECT_TRUE(differs);
}

TEST(Traffic, some_chats_get_bursts) {
  Traffic traffic(1, 1000);
  std::int64_t last = 0;
  int run = 0;
  int longest = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t chat = traffic.next().chat;
    run = chat == last ? run + 1 : 1;
    longest = std::max(longest, run);
    last = chat;
  }
  EXPECT_GE(longest, 10);
  EXPECT_LE(longest, 25);
}

}  // namespace
}  // namespace tgkeep::emulator
