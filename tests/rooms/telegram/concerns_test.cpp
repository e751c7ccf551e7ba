#include "telegram/concerns.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tgkeep::telegram {
namespace {

std::string message(const std::string& members) {
  return R"({"update_id":42,"message":{"message_id":42,"date":42,)" + members + "}}";
}

TEST(Concerns, whoever_wrote_it_or_is_named_in_it_is_concerned) {
  const std::string from = message(R"("from":{"id":7,"is_bot":false,"first_name":"Ann"},"text":"hello")");
  EXPECT_TRUE(concerns_user(from, 7));
  EXPECT_FALSE(concerns_user(from, 42)) << "an update_id, a message_id and a date are no user";
  const std::string members = message(
      R"("chat":{"id":-100,"type":"supergroup"},"new_chat_members":[{"id":8,"first_name":"B"},{"id":9,"is_bot":true}])");
  EXPECT_TRUE(concerns_user(members, 9));
  EXPECT_TRUE(concerns_chat(members, -100));
  EXPECT_FALSE(concerns_chat(members, 9));
  const std::string deep = message(
      R"("reply_to_message":{"entities":[{"type":"text_mention","offset":0,"length":1,"user":{"id":11,"is_bot":false}}]})");
  EXPECT_TRUE(concerns_user(deep, 11));
}

TEST(Concerns, the_private_chat_with_a_user_is_that_user) {
  const std::string body = message(R"("chat":{"id":7,"type":"private","first_name":"Ann"},"text":"x")");
  EXPECT_TRUE(concerns_user(body, 7));
  EXPECT_TRUE(concerns_chat(body, 7));
  const std::string in_group = message(R"("chat":{"id":-5,"type":"group"},"from":{"id":7,"is_bot":false})");
  EXPECT_TRUE(concerns_user(in_group, 7));
  EXPECT_FALSE(concerns_chat(in_group, 7));
}

TEST(Concerns, other_objects_with_that_id_are_somebody_else) {
  const std::string body =
      message(R"("checklist":{"tasks":[{"id":7,"text":"milk"}]},"chat":{"id":-1,"type":"group"})");
  EXPECT_FALSE(concerns_user(body, 7));
  EXPECT_FALSE(concerns_chat(body, 7));
  EXPECT_FALSE(concerns_user(message(R"("text":"user 7, id 7")"), 7));
  EXPECT_FALSE(concerns_user(message(R"("from":{"id":77,"is_bot":false})"), 7));
}

TEST(Concerns, ids_of_chats_and_users_in_an_update_count) {
  EXPECT_TRUE(concerns_chat(message(R"("migrate_to_chat_id":-100123)"), -100123));
  EXPECT_TRUE(concerns_user(R"({"update_id":1,"chat_join_request":{"user_chat_id":7}})", 7));
  EXPECT_TRUE(concerns_user(message(R"("contact":{"phone_number":"1","first_name":"A","user_id":7})"), 7));
}

TEST(Concerns, the_parameters_of_a_call_count) {
  EXPECT_TRUE(concerns_chat(R"({"chat_id":-100123,"text":"hi"})", -100123));
  EXPECT_TRUE(concerns_chat(R"({"chat_id":"-100123","text":"hi"})", -100123)) << "a number as a text";
  EXPECT_FALSE(concerns_chat(R"({"chat_id":"@durov","text":"-100123"})", -100123));
  EXPECT_TRUE(concerns_user(R"({"chat_id":7,"text":"hi"})", 7)) << "the private chat";
  EXPECT_TRUE(concerns_user(R"({"chat_id":-1,"user_id":7})", 7));
  EXPECT_FALSE(concerns_chat(R"({"chat_id":-1,"user_id":7})", 7));
  EXPECT_TRUE(concerns_user(R"({"added_user_ids":[1,7]})", 7));
  EXPECT_TRUE(concerns_chat(R"({"chat_id":1,"from_chat_id":-2,"message_id":3})", -2));
  EXPECT_TRUE(concerns_user(R"({"chat_id":1,"text":"<a href=\"tg://user?id=7\">Ann</a>"})", 7));
  EXPECT_FALSE(concerns_user(R"({"chat_id":1,"text":"<a href=\"tg://user?id=77\">Ann</a>"})", 7));
}

TEST(Concerns, json_within_a_text_is_read_too) {
  EXPECT_TRUE(concerns_chat(R"({"chat_id":1,"reply_parameters":"{\"chat_id\":-9,\"message_id\":2}"})", -9));
  EXPECT_FALSE(concerns_chat(R"({"chat_id":1,"reply_parameters":"{\"chat_id\":-9"})", -9))
      << "which Telegram would not understand either";
}

TEST(Concerns, text_that_is_no_json_is_searched_for_members) {
  EXPECT_TRUE(concerns_user(R"({"update_id":1,"message":{"from":{"id": 7,"is_bot":fal)", 7));
  EXPECT_FALSE(concerns_user(R"({"update_id":1,"message":{"from":{"id": 77,"is_bot":fal)", 7));
  EXPECT_FALSE(concerns_user("", 7));
  EXPECT_FALSE(concerns_user("7", 7));
}

}  // namespace
}  // namespace tgkeep::telegram
