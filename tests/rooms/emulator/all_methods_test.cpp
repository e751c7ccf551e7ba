// Every method of the schema: answers with a result of its type, and refuses what does not fit.

#include <boost/json/array.hpp>

#include "emulator/schema/check_value.hpp"
#include "emulator/schema/schema.hpp"
#include "emulator/schema/synthesis.hpp"
#include "rooms/emulator/api_scene.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;

class AllMethods : public ApiScene {
 protected:
  std::int64_t group = -777;

  /// Required parameters, and those that say which chat and message is meant.
  json::object params_for(const schema::MethodSpec& method, std::int64_t message) const {
    const telegram::Params none;
    const schema::Synthesis synthesis(none, clock.wall(), nullptr);
    json::object params;
    for (const schema::Slot& slot : method.params()) {
      const json::string_view name(slot.name.data(), slot.name.size());
      if (slot.name == "url") params[name] = "http://127.0.0.1:1/";
      if (slot.name == "chat_id" || slot.name == "from_chat_id") params[name] = group;
      if (slot.name == "message_id") params[name] = message;
      if (slot.name == "message_ids") params[name] = json::array{message};
      if (slot.name == "text" || slot.name == "caption" || slot.name == "description")
        params[name] = "new " + std::string(method.name);
      if (!slot.required || params.contains(name)) continue;
      if (slot.name == "media") {
        params[name] = slot.array_depth > 0 ? media() : json::value(photo());
      } else if (slot.name == "options") {
        params[name] = json::array{"one", "two"};
      } else if (slot.array_depth > 0) {
        params[name] = json::array();
      } else {
        params[name] = synthesis.value(slot.type(), slot.name);
      }
    }
    return params;
  }
  static json::object photo() { return {{"type", "photo"}, {"media", "some_file_id"}}; }
  static json::value media() { return json::array{photo(), photo()}; }
};

TEST_F(AllMethods, there_are_185_of_them) {
  EXPECT_EQ(schema::methods().size(), 185U);
  EXPECT_EQ(schema::find_method("SENDMESSAGE"), schema::find_method("sendMessage"));
  EXPECT_EQ(schema::find_method("sendPigeon"), nullptr);
}

TEST_F(AllMethods, each_answers_with_a_result_of_its_type_and_is_recorded) {
  for (const schema::MethodSpec& method : schema::methods()) {
    const std::string name(method.name);
    if (name == "logOut" || name == "close") continue;  // they end the bot's life here
    --group;                                            // some leave it
    const std::string chat = "{\"chat_id\":" + std::to_string(group) + ",";
    std::int64_t message = send_text(group, "old");
    if (name == "stopPoll") {
      message =
          result("sendPoll", chat + R"("question":"?","options":["a","b"]})").at("message_id").as_int64();
    }
    if (name.ends_with("LiveLocation")) {
      message = result("sendLocation", chat + R"("latitude":1,"longitude":2,"live_period":60})")
                    .at("message_id")
                    .as_int64();
    }
    if (name == "editMessageCaption") {
      message = result("sendPhoto", chat + R"("photo":"x"})").at("message_id").as_int64();
    }
    json::object params = params_for(method, message);
    if (name == "setChatAdministratorCustomTitle") {
      result("promoteChatMember", chat + R"("user_id":1,"can_pin_messages":true})");
    }
    if (name == "editMessageReplyMarkup") {
      params["reply_markup"] = json::parse(R"({"inline_keyboard":[[{"text":"a","callback_data":"b"}]]})");
    }
    json::value answer;
    if (name == "setChatPhoto") {
      answer = upload(name, "photo", "bytes", {{"chat_id", std::to_string(group)}});
    } else if (name == "uploadStickerFile") {
      answer = upload(name, "sticker", "bytes", {{"user_id", "5"}, {"sticker_format", "static"}});
    } else {
      answer = call(name, params);
    }
    const std::size_t calls = server->calls().size();
    EXPECT_EQ(server->calls()[calls - 1].method, name);
    EXPECT_TRUE(answer.at("ok").as_bool()) << name << " " << json::serialize(params) << ": " << answer;
    if (!answer.at("ok").as_bool()) continue;
    const json::value& result = answer.at("result");
    if (method.result_depth > 0) {
      ASSERT_TRUE(result.is_array()) << name;
      for (const json::value& element : result.get_array()) {
        EXPECT_EQ(schema::mismatch(element, method.result()), std::nullopt) << name << ": " << element;
      }
      continue;
    }
    EXPECT_EQ(schema::mismatch(result, method.result()), std::nullopt) << name << ": " << result;
  }
}

TEST_F(AllMethods, each_refuses_to_work_without_what_it_requires) {
  for (const schema::MethodSpec& method : schema::methods()) {
    const std::string name(method.name);
    const bool own_rules = name == "setWebhook" || name == "logOut";
    for (const schema::Slot& slot : method.params()) {
      if (!slot.required || own_rules) continue;
      json::object params = params_for(method, 1);
      params.erase(json::string_view(slot.name.data(), slot.name.size()));
      const json::value answer = call(name, params);
      EXPECT_FALSE(answer.at("ok").as_bool()) << name << " without " << slot.name << ": " << answer;
      if (answer.at("ok").as_bool()) continue;
      EXPECT_EQ(answer.at("error_code").as_int64(), 400) << name << ": " << answer;
      EXPECT_TRUE(std::string(answer.at("description").as_string()).starts_with("Bad Request: ")) << answer;
    }
  }
}

TEST_F(AllMethods, refusals_have_the_servers_words) {
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"sendMessage", R"({"text":"x"})", "chat_id is empty"},
      {"sendMessage", R"({"chat_id":5})", "message text is empty"},
      {"sendMessage", R"({"chat_id":5,"text":"  "})", "message text is empty"},
      {"sendPhoto", R"({"chat_id":5})", "there is no photo in the request"},
      {"sendVideoNote", R"({"chat_id":5})", "there is no video note in the request"},
      {"answerCallbackQuery", "{}", "parameter \"callback_query_id\" is required"},
      {"banChatMember", R"({"chat_id":-5})", "invalid user_id specified"},
      {"deleteMessage", R"({"chat_id":5})", "message identifier is not specified"},
      {"sendMessage", R"({"chat_id":5,"text":"x","reply_markup":"{"})",
       "can't parse reply keyboard markup JSON object"},
      {"sendMessage", R"({"chat_id":5,"text":"x","reply_markup":[]})", "object expected as reply markup"},
      {"sendMessage",
       R"({"chat_id":5,"text":"x","reply_markup":{"inline_keyboard":[[{"url":"http://a.b"}]]}})",
       "can't parse reply keyboard markup: Can't find field \"text\""},
      {"sendMessage", R"({"chat_id":5,"text":"x","reply_markup":{"inline_keyboard":[[{"text":"a"}]]}})",
       "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"},
      {"sendMessage", R"({"chat_id":5,"text":"x","entities":[{"type":"bold","offset":0}]})",
       "can't parse entities: Can't find field \"length\""},
      {"sendMessage", R"({"chat_id":5,"text":"x","entities":{}})", "expected an Array of MessageEntity"},
      {"setMyCommands", R"({"commands":[{"command":"a","description":true}]})",
       "can't parse commands: Field \"description\" must be of type String"},
      {"sendInvoice",
       R"({"chat_id":5,"title":"t","description":"d","payload":"p","currency":"XTR","prices":[{"label":"a"}]})",
       "can't parse prices: Can't find field \"amount\""},
  };
  for (const auto& [method, params, words] : cases) {
    EXPECT_EQ(refusal(method, params), "Bad Request: " + words) << method << params;
  }
}

TEST_F(AllMethods, numbers_and_strings_are_the_same_and_unknown_parameters_are_ignored) {
  EXPECT_EQ(result("sendMessage", R"({"chat_id":"5","text":7,"surprise":[1]})").at("text").as_string(), "7");
  EXPECT_EQ(result("sendContact", R"({"chat_id":5,"phone_number":491,"first_name":"A"})")
                .at("contact")
                .at("phone_number")
                .as_string(),
            "491");
}

TEST_F(AllMethods, forms_of_old_are_still_understood) {
  result("sendMessage", R"({"chat_id":5,"text":"x","reply_markup":{"keyboard":[["A","B"]]}})");
  result("sendMessage", R"({"chat_id":5,"text":"x","reply_markup":{}})");
  EXPECT_EQ(result("sendMessage", R"({"chat_id":5,"text":"y","reply_to_message_id":1})")
                .at("reply_to_message")
                .at("text")
                .as_string(),
            "x");
  EXPECT_EQ(result("getChatMembersCount", R"({"chat_id":5})").as_int64(), 2);
}

TEST_F(AllMethods, made_up_results_repeat_what_was_asked) {
  const json::value topic =
      result("createForumTopic", R"({"chat_id":-777,"name":"Topic","icon_color":7322096})");
  EXPECT_EQ(topic.at("name").as_string(), "Topic");
  EXPECT_EQ(topic.at("icon_color").as_int64(), 7322096);
  EXPECT_EQ(result("getStickerSet", R"({"name":"cats"})").at("name").as_string(), "cats");
}

}  // namespace
}  // namespace tgkeep::emulator
