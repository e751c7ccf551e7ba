#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <tgkeep/read_update.hpp>
#include <tgkeep/sequentialize.hpp>
#include <vector>

namespace tgkeep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Update read(std::string raw) {
  return read_update(BotId(42), WallTime{}, std::move(raw)).value();
}

std::vector<std::string> keys(const Update& update) {
  std::vector<std::string> texts;
  for (const OrderingKey& key : update.keys) texts.push_back(key.text());
  return texts;
}

const std::string kMessage = R"({"update_id":1,"message":{"chat":{"id":7},"from":{"id":9},"text":"a b"}})";

TEST(Sequentialize, M7_several_one_or_no_keys_and_an_empty_rule_changes_nothing) {
  Update update = read(kMessage);
  ASSERT_TRUE(sequentialize(update, Sequentialize()));
  EXPECT_THAT(keys(update), ElementsAre("chat:7"));
  ASSERT_TRUE(sequentialize(update, [](const Update&) { return std::vector<std::string>{"a", "b"}; }));
  EXPECT_THAT(keys(update), ElementsAre("a", "b"));
  ASSERT_TRUE(sequentialize(update, [](const Update&) { return std::vector<std::string>(); }));
  EXPECT_THAT(keys(update), ElementsAre());
}

TEST(Sequentialize, empty_texts_are_left_out_and_repeated_ones_count_once) {
  Update update = read(kMessage);
  ASSERT_TRUE(sequentialize(update, [](const Update&) {
    return std::vector<std::string>{"", "b", "a", "b", ""};
  }));
  EXPECT_THAT(keys(update), ElementsAre("b", "a"));
}

TEST(Sequentialize, keys_of_two_bots_are_two_lanes) {
  Update update = read(kMessage);
  const auto rule = [](const Update&) { return std::vector<std::string>{"a"}; };
  ASSERT_TRUE(sequentialize(update, rule));
  const KeyHash hash = update.keys.at(0).hash();
  update.bot = BotId(43);
  ASSERT_TRUE(sequentialize(update, rule));
  EXPECT_NE(update.keys.at(0).hash(), hash);
}

TEST(Sequentialize, a_rule_that_throws_leaves_the_default_keys_and_its_words_are_the_error) {
  Update update = read(kMessage);
  const auto throws = [](const Update&) -> std::vector<std::string> { throw std::runtime_error("no luck"); };
  const Result<void> result = sequentialize(update, throws);
  ASSERT_TRUE(result.has_error());
  EXPECT_THAT(result.error().text(), HasSubstr("no luck"));
  EXPECT_THAT(keys(update), ElementsAre("chat:7"));
  const auto odd = [](const Update&) -> std::vector<std::string> { throw 7; };
  EXPECT_TRUE(sequentialize(update, odd).has_error());
}

TEST(ChatAndUser, M7_gives_the_default_keys_and_whoever_acts) {
  EXPECT_THAT(chat_and_user(read(kMessage)), ElementsAre("chat:7", "user:9"));
  EXPECT_THAT(chat_and_user(read(R"({"update_id":1,"channel_post":{"chat":{"id":-7}}})")),
              ElementsAre("chat:-7"));
  EXPECT_THAT(
      chat_and_user(
          read(R"({"update_id":1,"callback_query":{"id":"1","from":{"id":9},"message":{"chat":{"id":7}}}})")),
      ElementsAre("chat:7", "user:9"));
  EXPECT_THAT(chat_and_user(read(R"({"update_id":1,"poll_answer":{"poll_id":"5","user":{"id":9}}})")),
              ElementsAre("poll:5", "user:9"));
  EXPECT_THAT(chat_and_user(read(R"({"update_id":1})")), ElementsAre());
}

TEST(ChatAndUser, where_the_user_is_the_default_key_it_is_there_once) {
  Update update = read(R"({"update_id":1,"inline_query":{"id":"1","from":{"id":9}}})");
  ASSERT_TRUE(sequentialize(update, chat_and_user));
  EXPECT_THAT(keys(update), ElementsAre("user:9"));
}

}  // namespace
}  // namespace tgkeep
