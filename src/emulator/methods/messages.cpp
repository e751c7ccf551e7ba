// Deleting, forwarding, copying and pinning.

#include <array>
#include <boost/json/array.hpp>

#include "emulator/methods/new_message.hpp"
#include "emulator/methods/registry.hpp"
#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

/// What of a message is its content: everything but where, who and when.
json::object content_of(const json::object& message) {
  json::object content = message;
  for (const char* name : {"message_id", "from", "sender_chat", "chat", "date", "edit_date",
                           "reply_to_message", "reply_markup", "message_thread_id", "is_topic_message",
                           "forward_origin", "has_protected_content", "media_group_id"}) {
    content.erase(name);
  }
  return content;
}

json::object origin_of(const json::object& message) {
  if (const json::object* known = object_in(message, "forward_origin")) return *known;
  json::object origin;
  if (const json::object* from = object_in(message, "from")) {
    origin["type"] = "user";
    origin["sender_user"] = *from;
  } else {
    origin["type"] = "channel";
    origin["chat"] = *member_of(message, "sender_chat");
    origin["message_id"] = number_in(message, "message_id");
  }
  origin["date"] = number_in(message, "date");
  return origin;
}

bool may_delete(Call& call, std::int64_t chat, const json::object& message) {
  const json::object* from = object_in(message, "from");
  if (chat > 0 || from == nullptr || number_in(*from, "id") == call.bot_id()) return true;
  const ChatRecord* group = call.world.directory.find_chat(chat);
  if (group == nullptr || !call.world.strict) return true;
  const auto own = group->members.find(call.bot_id());
  return own != group->members.end() && flag_in(own->second, "can_delete_messages");
}

std::vector<std::int64_t> message_ids(const Call& call) {
  std::vector<std::int64_t> ids;
  for (const json::value& id : parse_array(call.text("message_ids")).value_or(json::array())) {
    if (id.is_int64()) ids.push_back(id.get_int64());
  }
  return ids;
}

Answer delete_message(Call& call) {
  const Checked<std::int64_t> chat = find_chat(call);
  if (!chat) return chat.error().answer();
  const Checked<json::object*> message = find_message(call, *chat, "message to delete");
  if (!message) return message.error().answer();
  if (!may_delete(call, *chat, **message)) return Refusal("message can't be deleted").answer();
  call.world.messages.erase(call.bot_id(), *chat, call.number("message_id"));
  return Answer::ok("true");
}

/// What is not there is skipped.
Answer delete_messages(Call& call) {
  const Checked<std::int64_t> chat = find_chat(call);
  if (!chat) return chat.error().answer();
  const std::vector<std::int64_t> ids = message_ids(call);
  if (ids.empty()) return Refusal("message identifiers are not specified").answer();
  for (const std::int64_t id : ids) call.world.messages.erase(call.bot_id(), *chat, id);
  return Answer::ok("true");
}

Checked<json::object> repeat(Call& call, std::int64_t to, json::object original, bool forward) {
  Checked<json::object> message = begin_message(call, to);
  if (!message) return message;
  json::object content = content_of(original);
  if (forward) (*message)["forward_origin"] = origin_of(original);
  if (!forward && call.params.has("caption")) {
    Checked<json::object> caption = caption_content(call);
    if (!caption) return caption;
    content.erase("caption");
    content.erase("caption_entities");
    merge(content, *std::move(caption));
  }
  if (!forward && call.params.flag("remove_caption")) {
    content.erase("caption");
    content.erase("caption_entities");
  }
  return keep_message(call, to, *std::move(message), std::move(content));
}

json::object id_of(const json::object& message) {
  json::object id;
  id["message_id"] = number_in(message, "message_id");
  return id;
}

template <bool forward>
Answer repeat_one(Call& call) {
  const Checked<std::int64_t> from = find_chat(call, "from_chat_id");
  if (!from) return from.error().answer();
  const Checked<std::int64_t> to = find_writable_chat(call);
  if (!to) return to.error().answer();
  const Checked<json::object*> original =
      find_message(call, *from, forward ? "message to forward" : "message to copy");
  if (!original) return original.error().answer();
  const Checked<json::object> message = repeat(call, *to, **original, forward);
  if (!message) return message.error().answer();
  return answer_with(forward ? json::value(*message) : json::value(id_of(*message)));
}

template <bool forward>
Answer repeat_many(Call& call) {
  const Checked<std::int64_t> from = find_chat(call, "from_chat_id");
  if (!from) return from.error().answer();
  const Checked<std::int64_t> to = find_writable_chat(call);
  if (!to) return to.error().answer();
  json::array ids;
  for (const std::int64_t id : message_ids(call)) {
    const json::object* original = call.world.messages.find(call.bot_id(), *from, id);
    if (original == nullptr) continue;
    const Checked<json::object> message = repeat(call, *to, *original, forward);
    if (!message) return message.error().answer();
    ids.push_back(id_of(*message));
  }
  if (ids.empty()) {
    return Refusal(forward ? "there are no messages to forward" : "there are no messages to copy").answer();
  }
  return answer_with(ids);
}

json::object& pins_of(Call& call, std::int64_t chat) {
  if (ChatRecord* group = call.world.directory.find_chat(chat)) return group->details;
  return call.bot.private_details[chat];
}

Answer pin(Call& call) {
  const Checked<std::int64_t> chat = find_chat(call);
  if (!chat) return chat.error().answer();
  const Checked<json::object*> message = find_message(call, *chat, "message to pin");
  if (!message) return message.error().answer();
  pins_of(call, *chat)["pinned_message"] = **message;
  return Answer::ok("true");
}

Answer unpin(Call& call) {
  const Checked<std::int64_t> chat = find_chat(call);
  if (!chat) return chat.error().answer();
  json::object& pins = pins_of(call, *chat);
  const json::object* pinned = object_in(pins, "pinned_message");
  const std::int64_t wanted = call.number("message_id");
  const bool all = wanted == 0 || call.spec.name != "unpinChatMessage";
  if (pinned != nullptr && (all || number_in(*pinned, "message_id") == wanted)) pins.erase("pinned_message");
  return Answer::ok("true");
}

Answer react(Call& call) {
  const Checked<std::int64_t> chat = find_chat(call);
  if (!chat) return chat.error().answer();
  const Checked<json::object*> message = find_message(call, *chat, "message to react");
  return message || !call.world.strict ? Answer::ok("true") : message.error().answer();
}

constexpr std::array methods = {
    NamedMethod("deleteMessage", delete_message),
    NamedMethod("deleteMessages", delete_messages),
    NamedMethod("forwardMessage", repeat_one<true>),
    NamedMethod("forwardMessages", repeat_many<true>),
    NamedMethod("copyMessage", repeat_one<false>),
    NamedMethod("copyMessages", repeat_many<false>),
    NamedMethod("pinChatMessage", pin),
    NamedMethod("unpinChatMessage", unpin),
    NamedMethod("unpinAllChatMessages", unpin),
    NamedMethod("setMessageReaction", react),
};

}  // namespace

std::span<const NamedMethod> message_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
