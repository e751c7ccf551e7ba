#include "emulator/methods/call.hpp"

#include <boost/json/serialize.hpp>
#include <string>

#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

/// Why the bot may not write to this person; nothing when it may.
std::optional<Refusal> refuse_person(const Call& call, const UserRecord& user) {
  if (user.deactivated) return Refusal::forbidden("user is deactivated");
  if (flag_in(user.profile, "is_bot")) return Refusal::forbidden("the bot can't send messages to the bot");
  if (user.blocked.contains(call.bot_id())) return Refusal::forbidden("bot was blocked by the user");
  const bool knows = !call.world.strict || user.started.contains(call.bot_id());
  if (!knows) return Refusal::forbidden("bot can't initiate conversation with a user");
  return std::nullopt;
}

std::optional<Refusal> refuse_group(const Call& call, const ChatRecord& chat) {
  if (chat.migrated_to) return Refusal::migrated(*chat.migrated_to);
  const std::string kind(chat.type());
  const auto member = chat.members.find(call.bot_id());
  const bool strange = member == chat.members.end();
  if (strange && !call.world.strict) return std::nullopt;
  if (!strange && string_in(member->second, "status") == "kicked") {
    return Refusal::forbidden("bot was kicked from the " + kind + " chat");
  }
  if (strange || !is_present(member->second)) {
    return Refusal::forbidden("bot is not a member of the " + kind + " chat");
  }
  const bool muted =
      string_in(member->second, "status") == "restricted" && !flag_in(member->second, "can_send_messages");
  if (muted) return Refusal("not enough rights to send text messages to the chat");
  if (chat.is_channel() && !is_administrator(member->second)) {
    return Refusal("need administrator rights in the channel chat");
  }
  return std::nullopt;
}

}  // namespace

schema::Synthesis Call::synthesis() const {
  return schema::Synthesis(params, now, [this](const schema::Type& type) -> std::optional<json::value> {
    if (type.name == "User") {
      const UserRecord* user = world.directory.find_user(params.number("user_id", 0));
      return user == nullptr ? bot.profile : user->profile;
    }
    if (type.name != "Chat") return std::nullopt;
    std::optional<json::object> chat = world.directory.chat_object(params.number("chat_id", 0));
    if (!chat) return std::nullopt;
    return *std::move(chat);
  });
}

Answer answer_with(const json::value& result) {
  return Answer::ok(json::serialize(result));
}

Checked<std::int64_t> find_chat(const Call& call, std::string_view name) {
  const std::string_view text = call.text(name);
  if (text.empty()) return Refusal(std::string(name) + " is empty");
  std::optional<std::int64_t> id = whole_number(text);
  if (!id) id = call.world.directory.find_name(text);
  if (!id || !call.world.chat_object(*id)) return Refusal("chat not found");
  return *id;
}

Checked<std::int64_t> find_writable_chat(const Call& call, std::string_view name) {
  const Checked<std::int64_t> id = find_chat(call, name);
  if (!id) return id;
  std::optional<Refusal> refusal;
  if (const ChatRecord* chat = call.world.directory.find_chat(*id)) {
    refusal = refuse_group(call, *chat);
  } else if (const UserRecord* user = call.world.directory.find_user(*id)) {
    refusal = refuse_person(call, *user);
  }
  if (refusal) return *refusal;
  return id;
}

Checked<ChatRecord*> find_group(const Call& call) {
  const Checked<std::int64_t> id = find_chat(call);
  if (!id) return id.error();
  ChatRecord* chat = call.world.directory.find_chat(*id);
  if (chat == nullptr) return Refusal("there are no members in the private chat");
  const std::optional<Refusal> refusal = refuse_group(call, *chat);
  if (refusal && chat->migrated_to) return *refusal;
  return chat;
}

Checked<std::int64_t> find_user(const Call& call) {
  const std::int64_t id = call.number("user_id");
  if (id <= 0) return Refusal("invalid user_id specified");
  if (!call.world.user_object(id)) return Refusal("user not found");
  return id;
}

Checked<json::object*> find_message(const Call& call, std::int64_t chat, std::string_view what) {
  const std::int64_t id = call.number("message_id");
  if (id <= 0) return Refusal("message identifier is not specified");
  json::object* message = call.world.messages.find(call.bot_id(), chat, id);
  if (message == nullptr) return Refusal(std::string(what) + " not found");
  return message;
}

}  // namespace tgkeep::emulator
