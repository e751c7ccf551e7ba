// What people do, and what the bot hears of it and may answer.

#include <boost/json/array.hpp>

#include "rooms/emulator/emulator_scene.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

using People = EmulatorScene;

TEST_F(People, a_text_comes_with_its_sender_its_chat_and_its_entities) {
  control("users", R"({"id":5,"first_name":"Ann","username":"ann"})");
  const json::value deed = control("send-text", R"({"user":"@ann","text":"/start now @bob #x"})");
  const json::value message = newest().at("message");
  EXPECT_EQ(message, deed.at("message"));
  EXPECT_EQ(message.at("from").at("username").as_string(), "ann");
  EXPECT_EQ(message.at("chat").at("type").as_string(), "private");
  const json::array& entities = message.at("entities").as_array();
  ASSERT_EQ(entities.size(), 3U);
  EXPECT_EQ(entities[0].at("type").as_string(), "bot_command");
  EXPECT_EQ(entities[0].at("length").as_int64(), 6);
  EXPECT_EQ(entities[1].at("type").as_string(), "mention");
  EXPECT_EQ(entities[2].at("offset").as_int64(), 16);
}

TEST_F(People, the_bot_answers_and_the_user_presses_its_button) {
  control("send-text", R"({"user":5,"text":"hi"})");
  const json::value sent = call(
      "sendMessage",
      R"({"chat_id":5,"text":"?","reply_markup":{"inline_keyboard":[[{"text":"Yes","callback_data":"y"}]]}})");
  EXPECT_EQ(refusal("press-button", R"({"user":5,"text":"No"})"),
            "Bad Request: data, text: the message has no such button");
  control("press-button", R"({"user":5,"text":"Yes"})");
  const json::value query = newest().at("callback_query");
  EXPECT_EQ(query.at("data").as_string(), "y");
  EXPECT_EQ(query.at("message").at("message_id"), sent.at("result").at("message_id"));
  const std::string id(query.at("id").as_string());
  EXPECT_TRUE(call("answerCallbackQuery", "{\"callback_query_id\":\"" + id + "\"}").at("ok").as_bool());
  control("clock", R"({"advance":151})");
  EXPECT_EQ(
      call("answerCallbackQuery", "{\"callback_query_id\":\"" + id + "\"}").at("description").as_string(),
      "Bad Request: query is too old and response timeout expired or query ID is invalid");
}

TEST_F(People, a_payment_goes_through_its_queries) {
  control("send-text", R"({"user":5,"text":"buy"})");
  call("sendInvoice",
       R"({"chat_id":5,"title":"t","description":"d","payload":"order 1","currency":"EUR","is_flexible":true,
           "provider_token":"p","prices":[{"label":"a","amount":100},{"label":"b","amount":20}]})");
  control("pay", R"({"user":5})");
  const json::value shipping = newest().at("shipping_query");
  EXPECT_EQ(shipping.at("invoice_payload").as_string(), "order 1");
  call("answerShippingQuery",
       "{\"shipping_query_id\":" + json::serialize(shipping.at("id")) + ",\"ok\":true}");
  const json::value checkout = newest().at("pre_checkout_query");
  EXPECT_EQ(checkout.at("total_amount").as_int64(), 120);
  call("answerPreCheckoutQuery",
       "{\"pre_checkout_query_id\":" + json::serialize(checkout.at("id")) + ",\"ok\":true}");
  const json::value payment = newest().at("message").at("successful_payment");
  EXPECT_EQ(payment.at("invoice_payload").as_string(), "order 1");
  EXPECT_EQ(payment.at("currency").as_string(), "EUR");
}

TEST_F(People, a_file_a_user_sends_can_be_downloaded) {
  control("send-media",
          R"({"user":5,"kind":"document","bytes":"content","name":"a.txt","mime":"text/plain"})");
  const json::value document = newest().at("message").at("document");
  EXPECT_EQ(document.at("file_name").as_string(), "a.txt");
  const json::value file = call("getFile", "{\"file_id\":" + json::serialize(document.at("file_id")) + "}");
  const std::string path(file.at("result").at("file_path").as_string());
  http::ClientRequest request("GET",
                              emulator->server().root() + "/file/bot" + std::string(token) + "/" + path);
  EXPECT_EQ(test::run(io, client.send(std::move(request))).value().body, "content");
}

TEST_F(People, in_groups_the_bot_hears_what_its_privacy_mode_lets_through) {
  const std::string bot = R"({"token":")" + std::string(token) + R"(","can_read_all_group_messages":false})";
  control("bots", bot);
  const std::string chat = json::serialize(control("chats", R"({"title":"G","members":[5]})").at("id"));
  const auto say = [&](std::string_view text) {
    return control("send-text", "{\"user\":5,\"chat\":" + chat + ",\"text\":\"" + std::string(text) + "\"}")
        .at("updates")
        .as_array()
        .size();
  };
  EXPECT_EQ(say("just talk"), 0U);
  EXPECT_EQ(say("/help"), 1U);
  EXPECT_EQ(say("hello @emulated_4242_bot"), 1U);
  control("set-bot", "{\"user\":5,\"chat\":" + chat + ",\"status\":\"administrator\"}");
  EXPECT_EQ(say("just talk"), 1U);
}

TEST_F(People, coming_and_going_is_told_and_kicked_bots_are_refused) {
  const std::string chat = json::serialize(control("chats", R"({"type":"group"})").at("id"));
  control("join", "{\"user\":6,\"chat\":" + chat + "}");
  EXPECT_EQ(newest().at("message").at("new_chat_members").at(0).at("id").as_int64(), 6);
  const json::value member = call("getChatMember", "{\"chat_id\":" + chat + ",\"user_id\":6}");
  EXPECT_EQ(member.at("result").at("status").as_string(), "member");
  EXPECT_EQ(call("getChatMemberCount", "{\"chat_id\":" + chat + "}").at("result").as_int64(), 2);
  control("leave", "{\"user\":6,\"chat\":" + chat + "}");
  EXPECT_EQ(newest().at("message").at("left_chat_member").at("id").as_int64(), 6);
  control("set-bot", "{\"user\":7,\"chat\":" + chat + ",\"status\":\"kicked\"}");
  EXPECT_EQ(newest().at("my_chat_member").at("new_chat_member").at("status").as_string(), "kicked");
  EXPECT_EQ(call("sendMessage", "{\"chat_id\":" + chat + ",\"text\":\"x\"}").at("description").as_string(),
            "Forbidden: bot was kicked from the group chat");
}

TEST_F(People, a_user_who_stops_the_bot_is_out_of_its_reach) {
  EXPECT_EQ(call("sendMessage", R"({"chat_id":5,"text":"x"})").at("description").as_string(),
            "Bad Request: chat not found");
  control("users", R"({"id":5})");
  EXPECT_EQ(call("sendMessage", R"({"chat_id":5,"text":"x"})").at("description").as_string(),
            "Forbidden: bot can't initiate conversation with a user");
  control("send-text", R"({"user":5,"text":"/start"})");
  EXPECT_TRUE(call("sendMessage", R"({"chat_id":5,"text":"x"})").at("ok").as_bool());
  control("block", R"({"user":5})");
  EXPECT_EQ(newest().at("my_chat_member").at("new_chat_member").at("status").as_string(), "kicked");
  EXPECT_EQ(call("sendMessage", R"({"chat_id":5,"text":"x"})").at("description").as_string(),
            "Forbidden: bot was blocked by the user");
  control("unblock", R"({"user":5})");
  control("deactivate", R"({"user":5})");
  EXPECT_EQ(call("sendMessage", R"({"chat_id":5,"text":"x"})").at("description").as_string(),
            "Forbidden: user is deactivated");
}

TEST_F(People, B28_an_upgraded_group_refuses_with_its_new_id) {
  const std::string chat = json::serialize(control("chats", R"({"type":"group"})").at("id"));
  control("upgrade", "{\"user\":5,\"chat\":" + chat + "}");
  const json::value refused = call("sendMessage", "{\"chat_id\":" + chat + ",\"text\":\"x\"}");
  EXPECT_EQ(refused.at("error_code").as_int64(), 400);
  EXPECT_EQ(refused.at("description").as_string(),
            "Bad Request: group chat was upgraded to a supergroup chat");
  const std::string next = json::serialize(refused.at("parameters").at("migrate_to_chat_id"));
  EXPECT_TRUE(call("sendMessage", "{\"chat_id\":" + next + ",\"text\":\"x\"}").at("ok").as_bool());
}

TEST_F(People, votes_inline_queries_reactions_and_edits_become_updates) {
  control("send-text", R"({"user":5,"text":"helo"})");
  control("edit-text", R"({"user":5,"text":"hello"})");
  EXPECT_EQ(newest().at("edited_message").at("text").as_string(), "hello");
  call("sendPoll",
       R"({"chat_id":5,"question":"?","options":[{"text":"a"},{"text":"b"}],"is_anonymous":false})");
  control("vote", R"({"user":5,"options":[1]})");
  EXPECT_EQ(newest().at("poll_answer").at("option_ids").at(0).as_int64(), 1);
  control("ask-inline", R"({"user":5,"query":"cats"})");
  EXPECT_EQ(newest().at("inline_query").at("query").as_string(), "cats");
  EXPECT_TRUE(control("react", R"({"user":5,"emoji":"x"})").at("updates").at(0).at("update_id").is_null())
      << "not among the kinds a bot gets without asking";
  call("getUpdates", R"({"allowed_updates":["message_reaction"]})");
  control("react", R"({"user":5,"emoji":"x"})");
  EXPECT_EQ(newest().at("message_reaction").at("new_reaction").at(0).at("emoji").as_string(), "x");
}

TEST_F(People, wrong_requests_say_what_is_wrong) {
  EXPECT_THAT(refusal("send-text", R"({"user":5})"), HasSubstr("text"));
  EXPECT_THAT(refusal("send-text", R"({"user":"@nobody","text":"x"})"), HasSubstr("@nobody"));
  EXPECT_THAT(refusal("send-media", R"({"user":5,"kind":"smell"})"), HasSubstr("kind"));
  EXPECT_THAT(refusal("nonsense"), HasSubstr("/control/nonsense"));
  EXPECT_THAT(refusal("press-button", R"({"user":5})"), HasSubstr("message_id"));
}

}  // namespace
}  // namespace tgkeep::emulator
