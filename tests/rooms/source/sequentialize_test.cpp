// The bot's own ordering keys, given at receipt.

#include <gmock/gmock.h>

#include <stdexcept>

#include "rooms/source/polling.hpp"
#include "rooms/source/webhook_room.hpp"

namespace tgkeep::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> by_text(const Update& update) {
  if (update.raw.find("bad") != std::string::npos) throw std::runtime_error("no luck");
  return {"first", "second"};
}

std::vector<std::string> keys(const Update& update) {
  std::vector<std::string> texts;
  for (const OrderingKey& key : update.keys) texts.push_back(key.text());
  return texts;
}

TEST(LongPollSequentialize, M7_P5_the_keys_of_the_bots_own_rule_are_stored) {
  Polling polling;
  polling.options.sequentialize = by_text;
  polling.api.updates(std::string("[" + update(1) + "]"));
  polling.start();
  ASSERT_EQ(polling.store.stored.size(), 1U);
  EXPECT_THAT(keys(polling.store.stored.at(1)), ElementsAre("first", "second"));
}

TEST(LongPollSequentialize, P5_where_the_rule_throws_the_default_keys_stay_and_the_log_says_so) {
  Polling polling;
  polling.options.sequentialize = by_text;
  polling.api.updates(std::string("[" + update(1, "bad") + "," + update(2) + "]"));
  polling.start();
  ASSERT_EQ(polling.store.stored.size(), 2U);
  EXPECT_THAT(keys(polling.store.stored.at(1)), ElementsAre("chat:1"));
  EXPECT_THAT(keys(polling.store.stored.at(2)), ElementsAre("first", "second"));
  EXPECT_THAT(polling.lines, Contains(HasSubstr("sequentialize_failed")));
}

TEST(WebhookSequentialize, M7_P5_the_keys_of_the_bots_own_rule_are_stored) {
  WebhookRoom room;
  room.options.sequentialize = by_text;
  room.start();
  EXPECT_EQ(room.post(update(1))->status(), 200);
  EXPECT_EQ(room.post(update(2, "bad"))->status(), 200);
  EXPECT_THAT(keys(room.store.stored.at(1)), ElementsAre("first", "second"));
  EXPECT_THAT(keys(room.store.stored.at(2)), ElementsAre("chat:1"));
  EXPECT_THAT(room.lines, Contains(HasSubstr("sequentialize_failed")));
}

}  // namespace
}  // namespace tgkeep::test
