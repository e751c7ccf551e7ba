// Writing: texts, media, anything else that is a message; editing.

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "emulator/methods/media.hpp"
#include "emulator/people/actions.hpp"
#include "emulator/text/formatted_text.hpp"
#include "emulator/world/base64.hpp"
#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

bool mentions(const json::object& message, const BotAccount& bot) {
  const std::string at = "@" + std::string(string_in(bot.profile, "username"));
  for (const char* name : {"text", "caption"}) {
    if (string_in(message, name).find(at) != std::string_view::npos) return true;
  }
  const json::object* reply = object_in(message, "reply_to_message");
  const json::object* author = reply == nullptr ? nullptr : object_in(*reply, "from");
  return author != nullptr && number_in(*author, "id") == bot.id.value();
}

/// In privacy mode a bot sees commands and what is meant for it; administrators see everything.
bool sees(Stage& stage, const Scene& scene, const BotAccount& bot, const json::object& message) {
  if (scene.is_private() || bot.sees_all) return true;
  const ChatRecord* chat = stage.world.directory.find_chat(scene.chat);
  const auto own = chat->members.find(bot.id.value());
  const bool is_service = !message.contains("text") && !message.contains("caption");
  return is_administrator(own->second) || is_service || string_in(message, "text").starts_with('/') ||
         mentions(message, bot);
}

json::object begin(Stage& stage, const Scene& scene, bool channel) {
  json::object message;
  message["message_id"] = 0;
  const json::object chat = stage.world.directory.chat_object(scene.chat).value_or(json::object());
  if (channel) {
    message["sender_chat"] = chat;
  } else {
    message["from"] = stage.world.directory.user(scene.user).profile;
  }
  message["chat"] = chat;
  message["date"] = stage.date();
  return message;
}

void add_reply(Stage& stage, const Scene& scene, const BotAccount& bot, std::int64_t to,
               json::object& message) {
  const json::object* original = stage.world.messages.find(bot.id.value(), scene.chat, to);
  if (original == nullptr) return;
  json::object shown = *original;
  shown.erase("reply_to_message");
  message["reply_to_message"] = std::move(shown);
}

Checked<FormattedText> formatted(const json::object& request, std::string_view name) {
  const json::array* entities = array_in(request, "entities");
  const std::string given = entities == nullptr ? "" : json::serialize(*entities);
  return format_text(string_in(request, name), string_in(request, "parse_mode"), given);
}

Checked<json::object> text_of(const json::object& request) {
  Checked<FormattedText> text = formatted(request, "text");
  if (!text) return text.error();
  if (text->text.empty()) return Refusal("text: it is missing or empty");
  json::object content;
  content["text"] = json_text(text->text);
  if (!text->entities.empty()) content["entities"] = std::move(text->entities);
  return content;
}

Checked<Deed> send_text(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const Checked<json::object> content = text_of(request);
  if (!content) return content.error();
  return write_message(stage, *scene, *content, request);
}

/// `content`: what the message has, in the Bot API's own words.
Checked<Deed> send(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const json::object* content = object_in(request, "content");
  if (content == nullptr) return Refusal("content: an object with the fields of the message");
  return write_message(stage, *scene, *content, request);
}

/// Nothing when `base64` is none.
std::optional<std::string> bytes_of(const json::object& request) {
  if (const std::string_view text = string_in(request, "bytes"); !text.empty()) return std::string(text);
  if (!request.contains("base64")) return std::string("emulated file");
  return from_base64(string_in(request, "base64"));
}

telegram::Params to_params(const json::object& request) {
  telegram::Params params;
  for (const auto& member : request) {
    const json::string* text = member.value().if_string();
    params.add(std::string(member.key()),
               text == nullptr ? json::serialize(member.value()) : std::string(*text));
  }
  return params;
}

/// Each bot in the chat knows the file under an id of its own.
Checked<Deed> send_media(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const MediaKind* kind = find_media_kind(string_in(request, "kind"));
  if (kind == nullptr)
    return Refusal("kind: animation, audio, document, photo, sticker, video, video_note or voice");
  const std::optional<std::string> bytes = bytes_of(request);
  if (!bytes) return Refusal("base64: this is not base64");
  Checked<FormattedText> caption = formatted(request, "caption");
  if (!caption) return caption.error();
  Deed deed;
  for (BotAccount* bot : scene->bots) {
    const FileRecord& file = stage.world.files.add(bot->id.value(), kind->folder, string_in(request, "name"),
                                                   string_in(request, "mime"), *bytes);
    json::object content;
    content[json_view(kind->name)] = media_object(*kind, file, to_params(request), stage.now);
    if (!caption->text.empty()) content["caption"] = json_text(caption->text);
    if (!caption->entities.empty()) content["caption_entities"] = caption->entities;
    Scene one = *scene;
    one.bots = {bot};
    Deed told = write_message(stage, one, content, request);
    for (json::value& update : told.updates) deed.updates.push_back(std::move(update));
    if (deed.message.is_null()) deed.message = std::move(told.message);
  }
  return deed;
}

Checked<Deed> edit_text(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const Checked<json::object> content = text_of(request);
  if (!content) return content.error();
  const auto is_text = [&](const json::object& message) {
    const json::object* from = object_in(message, "from");
    const bool own = from == nullptr || number_in(*from, "id") == scene->user;
    return own && message.contains("text");
  };
  const Checked<json::object*> target =
      find_target(stage, *scene, request, is_text, "text message of this user");
  if (!target) return target.error();
  json::object& message = **target;
  message.erase("entities");
  for (const auto& member : *content) message[member.key()] = member.value();
  message["edit_date"] = stage.date();
  const json::object edited = message;
  const std::string_view kind = message.contains("sender_chat") ? "edited_channel_post" : "edited_message";
  Deed deed;
  deed.message = edited;
  for (const BotAccount* bot : scene->bots) {
    if (sees(stage, *scene, *bot, edited)) stage.tell(deed, *bot, kind, edited);
  }
  return deed;
}

constexpr std::array actions = {
    NamedAction("send-text", send_text),
    NamedAction("send", send),
    NamedAction("send-media", send_media),
    NamedAction("edit-text", edit_text),
};

}  // namespace

Deed write_message(Stage& stage, const Scene& scene, const json::object& content,
                   const json::object& request) {
  const ChatRecord* chat = stage.world.directory.find_chat(scene.chat);
  const bool channel = chat != nullptr && chat->is_channel();
  Deed deed;
  std::int64_t shared = 0;
  for (BotAccount* bot : scene.bots) {
    const std::int64_t id = bot->id.value();
    if (scene.is_private()) stage.world.directory.user(scene.user).started.insert(id);
    json::object message = begin(stage, scene, channel);
    if (shared == 0 || !is_channel_id(scene.chat)) shared = stage.world.messages.next_id(id, scene.chat);
    message["message_id"] = shared;
    if (const std::int64_t thread = number_in(request, "thread"); thread > 0) {
      message["message_thread_id"] = thread;
      message["is_topic_message"] = true;
    }
    add_reply(stage, scene, *bot, number_in(request, "reply_to"), message);
    for (const auto& member : content) message[member.key()] = member.value();
    stage.world.messages.put(id, scene.chat, message);
    if (sees(stage, scene, *bot, message))
      stage.tell(deed, *bot, channel ? "channel_post" : "message", message);
    if (deed.message.is_null()) deed.message = std::move(message);
  }
  return deed;
}

std::span<const NamedAction> writing_actions() noexcept {
  return actions;
}

}  // namespace tgkeep::emulator
