#include "sink/webhook_reply.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "sink/form_fields.hpp"
#include "sink/json_members.hpp"
#include "support/random.hpp"

namespace tgkeep::sink {
namespace {

const std::string kJson = "application/json";
const std::string kForm = "application/x-www-form-urlencoded";

std::string call(const std::string& type, const std::string& body) {
  const WebhookReply reply = read_webhook_reply(type, body);
  EXPECT_NE(reply.call.has_value(), !reply.ignored.empty());
  if (!reply.call) return "ignored";
  return reply.call->method + " " + reply.call->params;
}

TEST(WebhookReplyTest, P12_a_json_object_with_a_method_is_a_call_and_its_parameters_keep_their_bytes) {
  EXPECT_EQ(call(kJson, R"({"method":"sendMessage","chat_id":1})"), R"(sendMessage {"chat_id":1})");
  EXPECT_EQ(call(kJson, R"({"chat_id":1,"method":"sendMessage"})"), R"(sendMessage {"chat_id":1})");
  EXPECT_EQ(call(kJson, R"({"method":"sendDice"})"), "sendDice {}");
  EXPECT_EQ(
      call(kJson, " { \"a\" : 1.50 ,\n \"method\"\t:\"sendDice\" , \"b\" : [ {\"method\":\"x,}\"} ] } "),
      R"(sendDice {"a" : 1.50,"b" : [ {"method":"x,}"} ]})");
  EXPECT_EQ(call(kJson, R"({"\u006dethod":"sendDice","id":12345678901234567890123,"x":1e5,"t":"\"}\\"})"),
            R"(sendDice {"id":12345678901234567890123,"x":1e5,"t":"\"}\\"})");
  EXPECT_EQ(call("Application/JSON ; charset=utf-8", R"({"method":"sendDice"})"), "sendDice {}");
}

TEST(WebhookReplyTest, P12_a_form_is_a_call_with_strings_for_parameters) {
  EXPECT_EQ(call(kForm, "method=sendMessage&chat_id=-100123&text=a%20b+c%26%3D%D0%B6&empty="),
            R"(sendMessage {"chat_id":"-100123","text":"a b c&=ж","empty":""})");
  EXPECT_EQ(call(kForm, "a=1&a=2&method=sendDice&method=sendPhoto&&novalue"),
            R"(sendDice {"a":"1","novalue":""})");
  EXPECT_EQ(call(kForm, "method=sendDice&reply_markup=%7B%22a%22%3A1%7D&odd=100%&cut=%4"),
            R"(sendDice {"reply_markup":"{\"a\":1}","odd":"100%","cut":"%4"})");
}

TEST(WebhookReplyTest, P12_methods_that_telegram_ignores_are_ignored) {
  for (const char* const method : {"getMe", "GETME", "get", "getUpdates", "deleteWebhook", "DELETEWEBHOOK",
                                   "setWebhook", "setwebhook", "close", "Close", "logOut", "LOGOUT"}) {
    EXPECT_EQ(call(kJson, R"({"method":")" + std::string(method) + "\"}"), "ignored") << method;
    EXPECT_EQ(call(kForm, "method=" + std::string(method)), "ignored") << method;
  }
  EXPECT_EQ(call(kJson, R"({"method":"closeForumTopic"})"), "closeForumTopic {}");
  EXPECT_EQ(call(kJson, R"({"method":"setMyName"})"), "setMyName {}");
}

TEST(WebhookReplyTest, a_method_that_would_change_the_url_is_no_method) {
  for (const char* const method :
       {"", "../getMe", "send Message", "sendMessage?x=1", "a/b", "a%2Fb", "sendMessage\\n"})
    EXPECT_EQ(call(kJson, R"({"method":")" + std::string(method) + "\"}"), "ignored") << method;
  EXPECT_EQ(call(kJson, R"({"method":")" + std::string(65, 'a') + "\"}"), "ignored");
}

TEST(WebhookReplyTest, bodies_that_are_no_calls_are_passed_over_in_silence) {
  for (const char* const body : {"{}", "[]", "null", "true", R"("ok")", R"({"ok":true})",
                                 R"([{"method":"sendDice"}])", R"({"result":{"method":"sendDice"}})"}) {
    const WebhookReply reply = read_webhook_reply(kJson, body);
    EXPECT_FALSE(reply.call) << body;
    EXPECT_TRUE(reply.ignored.empty()) << body;
  }
  for (const char* const type :
       {"", "text/plain", "text/html", "application/jsonp", "application/octet-stream"})
    EXPECT_FALSE(read_webhook_reply(type, R"({"method":"sendDice"})").call) << type;
  EXPECT_FALSE(read_webhook_reply(kForm, "ok").call);
  EXPECT_TRUE(read_webhook_reply(kJson, "").ignored.empty());
}

TEST(WebhookReplyTest, broken_and_oversized_bodies_are_ignored_with_a_reason) {
  EXPECT_EQ(call(kJson, R"({"method":"sendDice")"), "ignored");
  EXPECT_EQ(call(kJson, "OK"), "ignored");
  EXPECT_EQ(call(kJson, R"({"method":5})"), "ignored");
  EXPECT_EQ(call(kJson, "{\"method\":\"sendDice\",\"a\":\"\xFF\"}"), "ignored");
  EXPECT_EQ(call(kForm, "method=sendDice&a=%FF"), "ignored");
  EXPECT_EQ(call(kJson, std::string(1'000'000, '[')), "ignored");
  const std::string frame = R"({"method":"sendDice","a":""})";
  const std::string largest =
      R"({"method":"sendDice","a":")" + std::string(kMaxReply - frame.size(), 'x') + "\"}";
  EXPECT_EQ(largest.size(), kMaxReply);
  EXPECT_NE(call(kJson, largest), "ignored");
  EXPECT_EQ(call(kJson, largest + " "), "ignored");
}

TEST(WebhookReplyTest, a_reply_with_files_is_refused_in_words) {
  const WebhookReply reply = read_webhook_reply("multipart/form-data; boundary=x", "--x");
  EXPECT_FALSE(reply.call);
  EXPECT_TRUE(reply.lost);
  EXPECT_NE(reply.ignored.find("files"), std::string::npos);
}

TEST(WebhookReplyTest, random_objects_keep_every_member_but_the_method) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  const std::vector<std::string> names{"a", "b\\\"", "\\u0436", "c:d", "e,f", "method2", ""};
  const std::vector<std::string> values{"1",          "-2.50",   "null", "\"x,}]\"", "[1,{\"k\":\"]\"}]",
                                        "{\"m\":{}}", "\"\\\\\""};
  const auto pick = [&](const auto& from) {
    return from[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(from.size()) - 1))];
  };
  const auto space = [&] { return std::string(static_cast<std::size_t>(random.between(0, 2)), ' '); };
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> members;
    for (auto count = random.between(0, 5); count > 0; --count)
      members.push_back("\"" + pick(names) + "\"" + space() + ":" + space() + pick(values));
    std::string params;
    for (const auto& member : members) params += (params.empty() ? "" : ",") + member;
    members.insert(members.begin() + random.between(0, static_cast<std::int64_t>(members.size())),
                   "\"method\":\"sendDice\"");
    std::string body;
    for (const auto& member : members) body += (body.empty() ? "{" : ",") + space() + member + space();
    EXPECT_EQ(call(kJson, body + "}"), "sendDice {" + params + "}") << body;
  }
}

}  // namespace
}  // namespace tgkeep::sink
