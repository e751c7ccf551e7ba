// What is done with a call besides passing it on.

#include "face/call_plan.hpp"

#include <gmock/gmock.h>

#include "face/method_nature.hpp"

namespace tgkeep::face {
namespace {

using Rank = rules::CallAsk::Rank;

Call call_of(std::string_view method, std::string_view params = "{}") {
  Call call;
  call.method = method;
  call.body = params;
  call.http_method = "POST";
  telegram::add_json(call.params, params);
  return call;
}
std::string line_of(std::string_view params) {
  return plan_call(call_of("sendMessage", params)).ask.line;
}

TEST(CallPlan, calls_to_a_chat_stand_in_its_line_however_it_is_written) {
  EXPECT_EQ(line_of(R"({"chat_id":-100123})"), line_of(R"({"chat_id":"-100123"})"));
  EXPECT_EQ(line_of(R"({"chat_id":"@Durov"})"), line_of(R"({"chat_id":"@durov"})"));
  EXPECT_NE(line_of(R"({"chat_id":1})"), line_of(R"({"chat_id":12})"));
  EXPECT_NE(line_of(R"({"chat_id":1})"), line_of(R"({"chat_id":1,"business_connection_id":"b"})"));
  EXPECT_NE(line_of(R"({"chat_id":"sendmessage"})"), line_of("{}"));
  EXPECT_TRUE(plan_call(call_of("editMessageText", R"({"inline_message_id":"x"})")).ask.in_order);
}

TEST(CallPlan, reading_urgent_and_chatless_calls_stand_in_no_order) {
  const CallPlan reading = plan_call(call_of("GETchat", R"({"chat_id":1})"));
  EXPECT_EQ(reading.ask.rank, Rank::reading);
  EXPECT_FALSE(reading.ask.in_order);
  const CallPlan urgent = plan_call(call_of("answercallbackquery", R"({"chat_id":1})"));
  EXPECT_EQ(urgent.ask.rank, Rank::urgent);
  EXPECT_FALSE(urgent.ask.in_order);
  const CallPlan chatless = plan_call(call_of("setMyName"));
  EXPECT_EQ(chatless.ask.rank, Rank::sending);
  EXPECT_FALSE(chatless.ask.in_order);
}

TEST(CallPlan, bulk_is_what_says_so_by_path_or_header) {
  Call by_path = call_of("sendMessage", R"({"chat_id":1})");
  by_path.path.bulk = true;
  EXPECT_EQ(plan_call(by_path).ask.rank, Rank::bulk);
  Call by_header = call_of("sendMessage", R"({"chat_id":1})");
  by_header.request.headers.emplace_back("tgkeep-bulk", "1");
  EXPECT_EQ(plan_call(by_header).ask.rank, Rank::bulk);
  by_header.request.headers.back().second = "0";
  EXPECT_EQ(plan_call(by_header).ask.rank, Rank::sending);
}

TEST(CallPlan, the_request_keeps_method_query_and_type_and_names_the_bot) {
  OutgoingOptions options("1:secret");
  options.api_root = "http://127.0.0.1:1";
  Call call = call_of("sendMessage", "");
  call.http_method = "GET";
  call.path.query = "a=%20#b";
  EXPECT_EQ(request_of(call, options).url, "http://127.0.0.1:1/bot1:secret/sendMessage?a=%20%23b");
  EXPECT_EQ(request_of(call, options).method, "GET");
  call.body = "x";
  call.content_type = "text/x";
  EXPECT_EQ(request_of(call, options).method, "POST") << "a GET with a body";
  EXPECT_EQ(*http::find_header(request_of(call, options).headers, "Content-Type"), "text/x");
  EXPECT_EQ(request_of(call, options).headers.size(), 1U);
  call.path.test = true;
  call.path.query.clear();
  call.method = "get/../me?#%";
  EXPECT_EQ(request_of(call, options).url, "http://127.0.0.1:1/bot1:secret/test/get%2F%2E%2E%2Fme%3F%23%25");
}

// The promise behind it: no message, payment or new thing comes to be twice.
TEST(MethodNature, what_makes_something_is_never_repeated) {
  for (const char* const method : {"sendMessage",
                                   "sendPhoto",
                                   "sendMediaGroup",
                                   "sendGift",
                                   "sendInvoice",
                                   "sendPoll",
                                   "sendDice",
                                   "copyMessage",
                                   "copyMessages",
                                   "forwardMessage",
                                   "forwardMessages",
                                   "postStory",
                                   "repostStory",
                                   "createChatInviteLink",
                                   "exportChatInviteLink",
                                   "createForumTopic",
                                   "createInvoiceLink",
                                   "createNewStickerSet",
                                   "addStickerToSet",
                                   "uploadStickerFile",
                                   "refundStarPayment",
                                   "transferGift",
                                   "upgradeGift",
                                   "giftPremiumSubscription",
                                   "transferBusinessAccountStars",
                                   "convertGiftToStars",
                                   "answerWebAppQuery",
                                   "answerGuestQuery",
                                   "setChatTitle",
                                   "setChatPhoto",
                                   "deleteChatPhoto",
                                   "pinChatMessage",
                                   "unpinChatMessage",
                                   "unbanChatMember",
                                   "stopPoll",
                                   "setGameScore",
                                   "replaceManagedBotToken",
                                   "approveSuggestedPost",
                                   "noSuchMethod",
                                   ""}) {
    EXPECT_FALSE(may_repeat(method)) << method;
  }
  for (const char* const method : {"getMe", "GETCHAT", "sendChatAction", "deleteMessage", "editMessageText",
                                   "answerCallbackQuery", "setMyCommands", "banChatMember"}) {
    EXPECT_TRUE(may_repeat(method)) << method;
  }
}

}  // namespace
}  // namespace tgkeep::face
