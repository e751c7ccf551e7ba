// editMessage…, stopMessageLiveLocation, stopPoll.

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "emulator/methods/media.hpp"
#include "emulator/methods/new_message.hpp"
#include "emulator/methods/registry.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::string_view not_modified =
    "message is not modified: specified new message content and reply markup are exactly the same as a "
    "current "
    "content and reply markup of the message";

/// Changes a copy of the message; what it returns is the reason not to.
using Change = Checked<void> (*)(const Call&, json::object& message);

bool is_own(const Call& call, const json::object& message) {
  if (message.contains("sender_chat") && !message.contains("from")) return true;  // a channel's post
  const json::object* from = object_in(message, "from");
  return from != nullptr && number_in(*from, "id") == call.bot_id();
}

Answer answer_edited(const Call& call, const json::object& message) {
  if (call.spec.name == "stopPoll") return answer_with(*object_in(message, "poll"));
  return answer_with(message);
}

template <Change change>
Answer edit(Call& call) {
  const std::optional<json::object> markup = parse_object(call.text("reply_markup"));
  Checked<std::optional<json::object>> keyboard = read_inline_keyboard(call);
  if (!keyboard) return keyboard.error().answer();
  if (!call.text("inline_message_id").empty()) {
    json::object unknown;
    const Checked<void> fits = change(call, unknown);
    return fits ? Answer::ok("true") : fits.error().answer();
  }
  const Checked<std::int64_t> chat = find_chat(call);
  if (!chat) return chat.error().answer();
  const Checked<json::object*> found = find_message(call, *chat, "message to edit");
  if (!found) return found.error().answer();
  if (!is_own(call, **found)) return Refusal("message can't be edited").answer();
  json::object edited = **found;
  const Checked<void> changed = change(call, edited);
  if (!changed) return changed.error().answer();
  edited.erase("reply_markup");
  if (*keyboard) edited["reply_markup"] = **std::move(keyboard);
  if (json::value(edited) == json::value(**found)) return Refusal(not_modified).answer();
  edited["edit_date"] = call.date();
  **found = edited;
  return answer_edited(call, edited);
}

void replace(json::object& message, std::initializer_list<const char*> old, json::object content) {
  for (const char* name : old) message.erase(name);
  merge(message, std::move(content));
}

Checked<void> change_text(const Call& call, json::object& message) {
  if (!message.empty() && !message.contains("text"))
    return Refusal("there is no text in the message to edit");
  Checked<json::object> content = text_content(call);
  if (!content) return content.error();
  replace(message, {"text", "entities", "link_preview_options"}, *std::move(content));
  return {};
}

Checked<void> change_caption(const Call& call, json::object& message) {
  if (message.contains("text")) return Refusal("there is no caption in the message to edit");
  Checked<json::object> content = caption_content(call);
  if (!content) return content.error();
  replace(message, {"caption", "caption_entities", "show_caption_above_media"}, *std::move(content));
  return {};
}

Checked<void> change_markup(const Call&, json::object&) {
  return {};
}

Checked<void> change_media(const Call& call, json::object& message) {
  const json::object item = parse_object(call.text("media")).value_or(json::object());
  const MediaKind* kind = find_media_kind(string_in(item, "type"));
  if (kind == nullptr) return Refusal("can't parse media: Field \"type\" has an unsupported value");
  const Checked<FileRecord*> file = take_file(call, *kind, string_in(item, "media"), "media");
  if (!file) return file.error();
  telegram::Params own;
  for (const auto& member : item) {
    const json::string* said = member.value().if_string();
    own.add(std::string(member.key()),
            said == nullptr ? json::serialize(member.value()) : std::string(*said));
  }
  Checked<json::object> content = caption_content(Call(call.bot, call.world, own, call.spec, call.now));
  if (!content) return content.error();
  (*content)[json_view(kind->name)] = media_object(*kind, **file, own, call.now);
  replace(message,
          {"animation", "audio", "document", "live_photo", "photo", "video", "caption", "caption_entities",
           "text", "entities"},
          *std::move(content));
  return {};
}

Checked<void> change_location(const Call& call, json::object& message) {
  if (!message.empty() && !message.contains("location")) {
    return Refusal("there is no live location in the message to edit");
  }
  message["location"] = call.synthesis().value(*schema::find_type("Location"), "location");
  return {};
}

Checked<void> stop_location(const Call&, json::object& message) {
  if (!message.empty() && !message.contains("location")) {
    return Refusal("there is no live location in the message to edit");
  }
  if (json::value* location = member_of(message, "location")) location->as_object().erase("live_period");
  return {};
}

Checked<void> stop_poll(const Call&, json::object& message) {
  json::value* poll = member_of(message, "poll");
  if (poll == nullptr) return Refusal("message with poll to stop not found");
  json::object& shown = poll->as_object();
  if (flag_in(shown, "is_closed")) return Refusal("poll has already been closed");
  shown["is_closed"] = true;
  return {};
}

Checked<void> change_checklist(const Call& call, json::object& message) {
  if (std::optional<json::object> given = parse_object(call.text("checklist"))) message["checklist"] = *given;
  return {};
}

constexpr std::array methods = {
    NamedMethod("editMessageText", edit<change_text>),
    NamedMethod("editMessageCaption", edit<change_caption>),
    NamedMethod("editMessageReplyMarkup", edit<change_markup>),
    NamedMethod("editMessageMedia", edit<change_media>),
    NamedMethod("editMessageLiveLocation", edit<change_location>),
    NamedMethod("stopMessageLiveLocation", edit<stop_location>),
    NamedMethod("editMessageChecklist", edit<change_checklist>),
    NamedMethod("stopPoll", edit<stop_poll>),
};

}  // namespace

std::span<const NamedMethod> edit_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
