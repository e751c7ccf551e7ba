// Messages, chats and files as later calls find them.

#include <unistd.h>

#include <boost/json/array.hpp>
#include <filesystem>

#include "rooms/emulator/api_scene.hpp"

namespace tgkeep::emulator {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class WorldOfMessages : public ApiScene {
 protected:
  std::string of(std::int64_t message, std::string_view more = "") const {
    return "{\"chat_id\":5,\"message_id\":" + std::to_string(message) + std::string(more) + "}";
  }
};

TEST_F(WorldOfMessages, message_ids_grow_by_bot_and_in_supergroups_by_chat) {
  EXPECT_EQ(send_text(5, "a"), 1);
  EXPECT_EQ(send_text(6, "b"), 2);
  EXPECT_EQ(send_text(-1001234567890, "c"), 1);
  EXPECT_EQ(send_text(-1001234567890, "d"), 2);
}

TEST_F(WorldOfMessages, B28_a_repeated_edit_is_message_not_modified) {
  const std::int64_t id = send_text(5, "old");
  const json::value edited = result("editMessageText", of(id, R"(,"text":"new")"));
  EXPECT_EQ(edited.at("text").as_string(), "new");
  EXPECT_TRUE(edited.as_object().contains("edit_date"));
  EXPECT_EQ(refusal("editMessageText", of(id, R"(,"text":"new")")),
            "Bad Request: message is not modified: specified new message content and reply markup are "
            "exactly the same "
            "as a current content and reply markup of the message");
  result("editMessageReplyMarkup",
         of(id, R"(,"reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":"b"}]]})"));
  EXPECT_EQ(result("editMessageText", of(id, R"(,"text":"new")")).as_object().contains("reply_markup"), false)
      << "an edit without a keyboard takes it away";
}

TEST_F(WorldOfMessages, what_is_deleted_or_never_was_is_not_found) {
  const std::int64_t id = send_text(5, "x");
  EXPECT_EQ(result("deleteMessage", of(id)), json::value(true));
  EXPECT_EQ(refusal("deleteMessage", of(id)), "Bad Request: message to delete not found");
  EXPECT_EQ(refusal("editMessageText", of(id, R"(,"text":"y")")), "Bad Request: message to edit not found");
  EXPECT_EQ(refusal("forwardMessage", of(id, R"(,"from_chat_id":5)")),
            "Bad Request: message to forward not found");
  EXPECT_EQ(refusal("copyMessage", of(id, R"(,"from_chat_id":5)")), "Bad Request: message to copy not found");
  EXPECT_EQ(refusal("pinChatMessage", of(id)), "Bad Request: message to pin not found");
}

TEST_F(WorldOfMessages, forwards_copies_replies_and_pins_refer_to_it) {
  const std::int64_t id = send_text(5, "x");
  const json::value forwarded = result("forwardMessage", of(id, R"(,"from_chat_id":5)"));
  EXPECT_EQ(forwarded.at("forward_origin").at("sender_user").at("id").as_int64(), bot_id);
  EXPECT_EQ(forwarded.at("text").as_string(), "x");
  EXPECT_EQ(result("copyMessage", of(id, R"(,"from_chat_id":5)")).at("message_id").as_int64(), id + 2);
  const std::string reply =
      R"({"chat_id":5,"text":"y","reply_parameters":{"message_id":)" + std::to_string(id) + "}}";
  EXPECT_EQ(result("sendMessage", reply).at("reply_to_message").at("text").as_string(), "x");
  result("pinChatMessage", of(id));
  EXPECT_EQ(result("getChat", R"({"chat_id":5})").at("pinned_message").at("message_id").as_int64(), id);
  result("unpinChatMessage", R"({"chat_id":5})");
  EXPECT_FALSE(result("getChat", R"({"chat_id":5})").as_object().contains("pinned_message"));
}

TEST_F(WorldOfMessages, texts_are_parsed_and_wrong_markup_is_refused) {
  const json::value sent = result(
      "sendMessage",
      R"({"chat_id":5,"parse_mode":"HTML","text":"<b>a <i>b</i></b> &lt; <a href=\"http://x.y\">l</a>"})");
  EXPECT_EQ(sent.at("text").as_string(), "a b < l");
  const json::array& entities = sent.at("entities").as_array();
  ASSERT_EQ(entities.size(), 3U);
  EXPECT_EQ(entities[0].at("type").as_string(), "bold");
  EXPECT_EQ(entities[1].at("offset").as_int64(), 2);
  EXPECT_EQ(entities[2].at("url").as_string(), "http://x.y");
  EXPECT_EQ(refusal("sendMessage", R"({"chat_id":5,"parse_mode":"HTML","text":"<b>x"})"),
            "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"");
  EXPECT_EQ(refusal("sendMessage", R"({"chat_id":5,"parse_mode":"HTML","text":"<x>y</x>"})"),
            "Bad Request: can't parse entities: Unsupported start tag \"x\" at byte offset 0");
  const json::value marked =
      result("sendMessage", R"({"chat_id":5,"parse_mode":"MarkdownV2","text":"*b* __u__ `c\\_d` \\."})");
  EXPECT_EQ(marked.at("text").as_string(), "b u c_d .");
  EXPECT_EQ(refusal("sendMessage", R"({"chat_id":5,"parse_mode":"MarkdownV2","text":"a.b"})"),
            "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the "
            "preceding '\\'");
  EXPECT_THAT(refusal("sendMessage", R"({"chat_id":5,"parse_mode":"Markdown","text":"*b"})"),
              HasSubstr("Can't find end of the entity starting at byte offset 0"));
  EXPECT_EQ(refusal("sendMessage", R"({"chat_id":5,"text":")" + std::string(4097, 'x') + "\"}"),
            "Bad Request: message is too long");
}

TEST_F(WorldOfMessages, B30_an_uploaded_file_comes_back_by_getFile) {
  const json::value sent =
      upload("sendDocument", "document", "the bytes", {{"chat_id", "5"}, {"caption", "c"}});
  const json::value document = sent.at("result").at("document");
  EXPECT_EQ(document.at("file_name").as_string(), "note.txt");
  EXPECT_EQ(document.at("mime_type").as_string(), "text/plain");
  EXPECT_EQ(document.at("file_size").as_int64(), 9);
  const std::string id(document.at("file_id").as_string());
  const json::value file = result("getFile", "{\"file_id\":\"" + id + "\"}");
  EXPECT_THAT(std::string(file.at("file_path").as_string()), StartsWith("documents/file_"));
  const std::string path =
      "/file/bot" + std::string(token) + "/" + std::string(file.at("file_path").as_string());
  EXPECT_EQ(get(path).body, "the bytes");
  EXPECT_EQ(get("/file/bot1:x/" + std::string(file.at("file_path").as_string())).status, 404);
  const json::value again = result("sendDocument", "{\"chat_id\":6,\"document\":\"" + id + "\"}");
  EXPECT_EQ(again.at("document").at("file_unique_id"), document.at("file_unique_id"));
}

TEST_F(WorldOfMessages, B30_files_above_20_MiB_are_not_given_out_and_photos_above_10_MiB_not_taken) {
  const std::string large((20U << 20) + 1, 'x');
  const json::value sent = upload("sendDocument", "document", large, {{"chat_id", "5"}});
  const std::string id(sent.at("result").at("document").at("file_id").as_string());
  EXPECT_EQ(refusal("getFile", "{\"file_id\":\"" + id + "\"}"), "Bad Request: file is too big");
  const json::value photo = upload("sendPhoto", "photo", large, {{"chat_id", "5"}});
  EXPECT_THAT(std::string(photo.at("description").as_string()), HasSubstr("is too big for a photo"));
}

TEST_F(WorldOfMessages, an_album_is_several_messages_with_one_group) {
  const json::value sent =
      upload("sendMediaGroup", "one", "1",
             {{"chat_id", "5"}, {"media", R"([{"type":"photo","media":"attach://one","caption":"c"},
                                                {"type":"photo","media":"http://x.y/z.jpg"}])"}});
  const json::array& messages = sent.at("result").as_array();
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].at("media_group_id"), messages[1].at("media_group_id"));
  EXPECT_EQ(messages[0].at("caption").as_string(), "c");
  EXPECT_NE(messages[0].at("photo").at(0).at("file_id"), messages[1].at("photo").at(0).at("file_id"));
}

TEST_F(WorldOfMessages, members_chats_and_settings_stay_as_they_were_made) {
  const std::string chat = R"({"chat_id":-100,"user_id":9)";
  result("promoteChatMember", chat + R"(,"can_pin_messages":true})");
  EXPECT_EQ(result("getChatMember", chat + "}").at("status").as_string(), "administrator");
  EXPECT_EQ(result("getChatAdministrators", R"({"chat_id":-100})").as_array().size(), 1U);
  result("banChatMember", chat + "}");
  EXPECT_EQ(result("getChatMember", chat + "}").at("status").as_string(), "kicked");
  result("setChatTitle", R"({"chat_id":-100,"title":"Renamed"})");
  EXPECT_EQ(result("getChat", R"({"chat_id":-100})").at("title").as_string(), "Renamed");
  result("setMyCommands", R"({"commands":[{"command":"a","description":"b"}],"language_code":"de"})");
  EXPECT_EQ(result("getMyCommands", R"({"language_code":"de"})").as_array().size(), 1U);
  EXPECT_TRUE(result("getMyCommands").as_array().empty());
  result("setMyName", R"({"name":"N"})");
  EXPECT_EQ(result("getMyName").at("name").as_string(), "N");
}

TEST_F(WorldOfMessages, B31_close_is_a_flood_in_the_first_ten_minutes_and_logOut_ends_everything) {
  const json::value early = call("close");
  EXPECT_EQ(early.at("error_code").as_int64(), 429);
  EXPECT_EQ(early.at("parameters").at("retry_after").as_int64(), 600);
  clock.advance(std::chrono::minutes(10));
  EXPECT_EQ(result("close"), json::value(true));
  account.add("message", "{}");
  EXPECT_EQ(result("logOut"), json::value(true));
  EXPECT_EQ(refusal("getMe"), "Logged out");
  EXPECT_EQ(account.queue.size(), 0U);
  clock.advance(std::chrono::minutes(10));
  result("getMe");
}

TEST_F(WorldOfMessages, B30_uploads_above_50_MB_are_refused) {
  const json::value refused =
      upload("sendDocument", "document", std::string((50U << 20) + 1, 'x'), {{"chat_id", "5"}});
  EXPECT_EQ(refused.at("error_code").as_int64(), 413);
}

class LocalServer : public ApiScene {
 protected:
  LocalServer() : ApiScene(options()) {}
  ~LocalServer() override { std::filesystem::remove_all(folder()); }
  static std::string folder() {
    return testing::TempDir() + "tgkeep_emulator_files_" + std::to_string(getpid());
  }
  static BotServerOptions options() {
    BotServerOptions local;
    local.local_folder = folder();
    return local;
  }
};

TEST_F(LocalServer, B30_in_local_mode_getFile_names_an_absolute_path_and_nothing_is_too_big) {
  const std::string large((20U << 20) + 1, 'x');
  const json::value sent = upload("sendDocument", "document", large, {{"chat_id", "5"}});
  const std::string id(sent.at("result").at("document").at("file_id").as_string());
  const json::value file = result("getFile", "{\"file_id\":\"" + id + "\"}");
  const std::filesystem::path path(std::string(file.at("file_path").as_string()));
  EXPECT_TRUE(path.is_absolute());
  EXPECT_EQ(std::filesystem::file_size(path), large.size());
}

using StrictWorld = StrictApiScene;

TEST_F(StrictWorld, what_nobody_made_is_not_there) {
  EXPECT_EQ(refusal("sendMessage", R"({"chat_id":5,"text":"x"})"), "Bad Request: chat not found");
  EXPECT_EQ(refusal("getChat", R"({"chat_id":"@nobody"})"), "Bad Request: chat not found");
  EXPECT_EQ(refusal("getFile", R"({"file_id":"none"})"), "Bad Request: invalid file_id");
  EXPECT_EQ(refusal("answerCallbackQuery", R"({"callback_query_id":"1"})"),
            "Bad Request: query is too old and response timeout expired or query ID is invalid");
  server->world().directory.user(5).started.insert(bot_id);
  EXPECT_EQ(refusal("sendPhoto", R"({"chat_id":5,"photo":"none"})"),
            "Bad Request: wrong file identifier/HTTP URL specified");
  EXPECT_EQ(refusal("sendMessage", R"({"chat_id":5,"text":"x","reply_parameters":{"message_id":3}})"),
            "Bad Request: message to be replied not found");
}

}  // namespace
}  // namespace tgkeep::emulator
