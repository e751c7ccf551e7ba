#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "rooms/bot/bot_bench.hpp"

namespace tgkeep {
namespace {

using test::misuse_of;
using testing::HasSubstr;

BotContext update(const std::string& kind, const std::string& content) {
  return BotContext(Context(test::delivery(kind, content)));
}

class Row {
 public:
  std::string kind;
  std::string content;
  std::string text;
  std::optional<std::int64_t> chat;
  std::optional<std::int64_t> from;
};

TEST(BotContext, reads_text_chat_and_user_where_each_kind_has_them) {
  const std::vector<Row> rows{
      {"message", R"({"text":"a","chat":{"id":-1009},"from":{"id":5}})", "a", -1009, 5},
      {"message", R"({"caption":"b","chat":{"id":7}})", "b", 7, std::nullopt},
      {"edited_message", R"({"text":"c","chat":{"id":7},"from":{"id":5}})", "c", 7, 5},
      {"channel_post", R"({"text":"d","chat":{"id":-8}})", "d", -8, std::nullopt},
      {"business_message", R"({"text":"e","chat":{"id":7},"from":{"id":5}})", "e", 7, 5},
      {"guest_message", R"({"text":"f","chat":{"id":7},"from":{"id":5}})", "f", 7, 5},
      {"callback_query",
       R"({"id":"1","from":{"id":5},"message":{"text":"g","chat":{"id":7},"from":{"id":6}}})", "", 7, 5},
      {"callback_query", R"({"id":"1","from":{"id":5},"inline_message_id":"x"})", "", std::nullopt, 5},
      {"my_chat_member", R"({"chat":{"id":7},"from":{"id":5}})", "", 7, 5},
      {"message_reaction", R"({"chat":{"id":7},"user":{"id":5}})", "", 7, 5},
      {"chat_join_request", R"({"chat":{"id":-7},"from":{"id":5},"user_chat_id":5})", "", -7, 5},
      {"inline_query", R"({"id":"1","from":{"id":5},"query":"q"})", "", std::nullopt, 5},
      {"poll_answer", R"({"poll_id":"1","user":{"id":5}})", "", std::nullopt, 5},
      {"poll", R"({"id":"1"})", "", std::nullopt, std::nullopt},
      {"message", R"({"text":7,"chat":{"id":"x"},"from":[]})", "", std::nullopt, std::nullopt},
      {"message", "7", "", std::nullopt, std::nullopt},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.kind + " " + row.content);
    const BotContext context = update(row.kind, row.content);
    EXPECT_EQ(context.text(), row.text);
    EXPECT_EQ(context.chat_id(), row.chat);
    EXPECT_EQ(context.from_id(), row.from);
  }
}

TEST(BotContext, gives_the_whole_update_and_the_object_of_its_kind) {
  const BotContext context = update("message", R"({"text":"a","date":17})");
  EXPECT_EQ(context.json().at("update_id").as_int64(), 1);
  EXPECT_EQ(context.content().at("date").as_int64(), 17);
}

TEST(BotContext, reads_updates_as_deeply_nested_as_they_are_taken_in) {
  std::string deep = "1";
  for (int i = 0; i < 500; ++i) deep = "[" + deep + "]";
  EXPECT_EQ(update("message", R"({"text":"a","x":)" + deep + "}").text(), "a");
}

std::string reply_to(const std::string& kind, const std::string& content) {
  const auto turn = std::make_shared<Turn>(test::delivery(kind, content));
  BotContext(Context(turn)).reply("hi \"there\"");
  EXPECT_EQ(turn->calls.at(0).method, "sendMessage");
  return turn->calls.at(0).params;
}

TEST(BotContext, P12_replies_go_to_the_outbox_and_to_the_place_the_update_came_from) {
  EXPECT_EQ(reply_to("message", R"({"chat":{"id":7}})"), R"({"chat_id":7,"text":"hi \"there\""})");
  EXPECT_EQ(reply_to("callback_query", R"({"id":"1","message":{"chat":{"id":7}}})"),
            R"({"chat_id":7,"text":"hi \"there\""})");
  EXPECT_EQ(reply_to("business_message", R"({"chat":{"id":7},"business_connection_id":"bc"})"),
            R"({"chat_id":7,"text":"hi \"there\"","business_connection_id":"bc"})");
  EXPECT_EQ(reply_to("message", R"({"chat":{"id":-7},"message_thread_id":4,"is_topic_message":true})"),
            R"({"chat_id":-7,"text":"hi \"there\"","message_thread_id":4})");
  EXPECT_EQ(reply_to("message", R"({"chat":{"id":-7},"message_thread_id":4})"),
            R"({"chat_id":-7,"text":"hi \"there\""})");
  EXPECT_EQ(reply_to("message", R"({"chat":{"id":-7},"direct_messages_topic":{"topic_id":9}})"),
            R"({"chat_id":-7,"text":"hi \"there\"","direct_messages_topic_id":9})");
  EXPECT_EQ(reply_to("my_chat_member", R"({"chat":{"id":-7}})"), R"({"chat_id":-7,"text":"hi \"there\""})");
}

TEST(BotContext, a_reply_without_a_chat_says_what_to_do_instead) {
  EXPECT_EQ(
      misuse_of([] { update("poll", R"({"id":"1"})").reply("hi"); }),
      "reply: an update of kind poll has no chat to answer in: leave() a call with a chat_id of your own");
  EXPECT_THAT(
      misuse_of([] { update("guest_message", R"({"chat":{"id":7},"guest_query_id":"g"})").reply("hi"); }),
      HasSubstr("answerGuestQuery"));
}

TEST(BotContext, a_direct_call_is_repeatable_when_it_only_gets) {
  asio::io_context io;
  const auto turn = std::make_shared<test::BenchTurn>(test::delivery("message", "{}"), std::string("7"));
  const BotContext context{Context(turn)};
  EXPECT_EQ(test::run(io, context.call("getChat", R"({"chat_id":7})")).value(), "7");
  EXPECT_EQ(test::run(io, context.call("sendMessage", "{}", std::chrono::seconds(5))).value(), "7");
  EXPECT_TRUE(turn->direct.at(0).repeatable);
  EXPECT_EQ(turn->direct.at(0).timeout, std::chrono::seconds(60));
  EXPECT_FALSE(turn->direct.at(1).repeatable);
  EXPECT_EQ(turn->direct.at(1).timeout, std::chrono::seconds(5));
}

TEST(BotContext, a_direct_call_where_there_is_no_api_says_so) {
  asio::io_context io;
  const BotContext context = update("message", "{}");
  EXPECT_THAT(misuse_of([&] { test::run(io, context.call("getMe", "{}")); }), HasSubstr("without an API"));
}

}  // namespace
}  // namespace tgkeep
