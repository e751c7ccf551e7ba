#include "emulator/methods/new_message.hpp"

#include <boost/json/array.hpp>

namespace tgkeep::emulator {

namespace {

constexpr std::size_t longest_text = 4096;
constexpr std::size_t longest_caption = 1024;

class ReplyTarget {
 public:
  std::int64_t message = 0;
  bool may_be_missing = false;
};

ReplyTarget reply_target(const Call& call) {
  ReplyTarget target;
  if (const std::optional<json::object> given = parse_object(call.text("reply_parameters"))) {
    target.message = number_in(*given, "message_id");
    target.may_be_missing = flag_in(*given, "allow_sending_without_reply");
  } else {  // as it was before Bot API 7.0; still understood
    target.message = call.number("reply_to_message_id");
    target.may_be_missing = call.params.flag("allow_sending_without_reply");
  }
  return target;
}

Checked<void> add_reply(const Call& call, std::int64_t chat, json::object& message) {
  const ReplyTarget target = reply_target(call);
  if (target.message == 0) return {};
  const json::object* original = call.world.messages.find(call.bot_id(), chat, target.message);
  if (original == nullptr && (target.may_be_missing || !call.world.strict)) return {};
  if (original == nullptr) return Refusal("message to be replied not found");
  json::object shown = *original;
  shown.erase("reply_to_message");
  message["reply_to_message"] = std::move(shown);
  return {};
}

Checked<void> check_button(const json::object& button) {
  const std::size_t data = string_in(button, "callback_data").size();
  if (data > 64) return Refusal("BUTTON_DATA_INVALID");
  bool acts = false;
  for (const auto& member : button) {
    acts =
        acts || (member.key() != "text" && member.key() != "style" && member.key() != "icon_custom_emoji_id");
  }
  if (acts) return {};
  return Refusal("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
}

}  // namespace

void merge(json::object& to, json::object from) {
  for (auto& member : from) to[member.key()] = std::move(member.value());
}

Checked<std::optional<json::object>> read_inline_keyboard(const Call& call) {
  std::optional<json::object> markup = parse_object(call.text("reply_markup"));
  if (!markup) return markup;
  const json::array* rows = array_in(*markup, "inline_keyboard");
  if (rows == nullptr) return std::optional<json::object>();
  json::array kept;
  for (const json::value& row : *rows) {
    for (const json::value& button : row.as_array()) {
      const Checked<void> fits = check_button(button.as_object());
      if (!fits) return fits.error();
    }
    if (!row.as_array().empty()) kept.push_back(row);
  }
  if (kept.empty()) return std::optional<json::object>();
  json::object keyboard;
  keyboard["inline_keyboard"] = std::move(kept);
  return std::optional(std::move(keyboard));
}

Checked<json::object> begin_message(const Call& call, std::int64_t chat) {
  Checked<std::optional<json::object>> keyboard = read_inline_keyboard(call);
  if (!keyboard) return keyboard.error();
  json::object message;
  message["message_id"] = 0;
  const json::object profile = call.world.chat_object(chat).value_or(json::object());
  if (string_in(profile, "type") == "channel") {
    message["sender_chat"] = profile;
  } else {
    message["from"] = call.bot.short_profile();
  }
  message["chat"] = profile;
  message["date"] = call.date();
  if (const std::int64_t thread = call.number("message_thread_id"); thread > 0) {
    message["message_thread_id"] = thread;
    message["is_topic_message"] = true;
  }
  for (const char* name : {"business_connection_id", "effect_id"}) {
    if (!call.text(name).empty()) message[name] = json_text(call.text(name));
  }
  if (!call.text("message_effect_id").empty())
    message["effect_id"] = json_text(call.text("message_effect_id"));
  if (call.params.flag("protect_content")) message["has_protected_content"] = true;
  const Checked<void> replied = add_reply(call, chat, message);
  if (!replied) return replied.error();
  if (*keyboard) message["reply_markup"] = **std::move(keyboard);
  message["message_id"] = call.world.messages.next_id(call.bot_id(), chat);
  return message;
}

json::object keep_message(const Call& call, std::int64_t chat, json::object message, json::object content) {
  std::optional<json::value> markup;
  if (json::value* found = member_of(message, "reply_markup")) {  // shown last
    markup = std::move(*found);
    message.erase("reply_markup");
  }
  merge(message, std::move(content));
  if (markup) message["reply_markup"] = *std::move(markup);
  call.world.messages.put(call.bot_id(), chat, message);
  return message;
}

void add_text(json::object& content, std::string_view text_name, std::string_view entities_name,
              FormattedText formatted) {
  content[json_view(text_name)] = json_text(formatted.text);
  if (!formatted.entities.empty()) content[json_view(entities_name)] = std::move(formatted.entities);
}

Checked<json::object> text_content(const Call& call) {
  Checked<FormattedText> formatted =
      format_text(call.text("text"), call.text("parse_mode"), call.text("entities"));
  if (!formatted) return formatted.error();
  if (formatted->text.empty()) return Refusal("message text is empty");
  if (code_points(formatted->text) > longest_text) return Refusal("message is too long");
  json::object content;
  add_text(content, "text", "entities", *std::move(formatted));
  if (std::optional<json::object> preview = parse_object(call.text("link_preview_options"))) {
    content["link_preview_options"] = *std::move(preview);
  }
  return content;
}

Checked<json::object> caption_content(const Call& call) {
  json::object content;
  if (call.text("caption").empty()) return content;
  Checked<FormattedText> formatted =
      format_text(call.text("caption"), call.text("parse_mode"), call.text("caption_entities"));
  if (!formatted) return formatted.error();
  if (code_points(formatted->text) > longest_caption) return Refusal("message caption is too long");
  if (!formatted->text.empty()) add_text(content, "caption", "caption_entities", *std::move(formatted));
  if (call.params.flag("show_caption_above_media")) content["show_caption_above_media"] = true;
  return content;
}

}  // namespace tgkeep::emulator
