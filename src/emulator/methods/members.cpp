// Members of groups: reading, banning, restricting, promoting; join requests.

#include <array>
#include <boost/json/array.hpp>

#include "emulator/methods/registry.hpp"
#include "emulator/world/chat_member.hpp"
#include "emulator/world/membership.hpp"

namespace tgkeep::emulator {

namespace {

class Place {
 public:
  ChatRecord* chat = nullptr;
  std::int64_t user = 0;
};

Checked<Place> find_place(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return chat.error();
  const Checked<std::int64_t> user = find_user(call);
  if (!user) return user.error();
  Place place;
  place.chat = *chat;
  place.user = *user;
  return place;
}

Answer get_member(Call& call) {
  const Checked<std::int64_t> id = find_chat(call);
  if (!id) return id.error().answer();
  const Checked<std::int64_t> user = find_user(call);
  if (!user) return user.error().answer();
  ChatRecord* chat = call.world.directory.find_chat(*id);
  if (chat != nullptr) return answer_with(call.world.member_object(*chat, *user));
  const bool takes_part = *user == *id || *user == call.bot_id();
  if (!takes_part) return Refusal("user not found").answer();
  json::object member = make_member("member");
  member["user"] = call.world.directory.user(*user).profile;
  return answer_with(member);
}

Answer get_administrators(Call& call) {
  const Checked<ChatRecord*> chat = find_group(call);
  if (!chat) return Refusal("there are no administrators in the private chat").answer();
  json::array administrators;
  for (const auto& [user, member] : (*chat)->members) {
    if (is_administrator(member)) administrators.push_back(call.world.member_object(**chat, user));
  }
  return answer_with(administrators);
}

Answer get_count(Call& call) {
  const Checked<std::int64_t> id = find_chat(call);
  if (!id) return id.error().answer();
  const ChatRecord* chat = call.world.directory.find_chat(*id);
  if (chat == nullptr) return Answer::ok("2");
  std::int64_t count = 0;
  for (const auto& [user, member] : chat->members) count += is_present(member);
  return answer_with(json::value(count));
}

/// Sets a member's status and tells the bots that asked for chat_member.
Answer change(Call& call, json::object member) {
  const Checked<Place> place = find_place(call);
  if (!place) return place.error().answer();
  const auto old = place->chat->members.find(place->user);
  if (old != place->chat->members.end() && string_in(old->second, "status") == "creator") {
    return Refusal("can't remove chat owner").answer();
  }
  change_member(call.world, *place->chat, place->user, std::move(member), call.bot.short_profile(), call.now);
  return Answer::ok("true");
}

Answer ban(Call& call) {
  json::object member = make_member("kicked");
  member["until_date"] = call.number("until_date");
  return change(call, std::move(member));
}

Answer unban(Call& call) {
  const Checked<Place> place = find_place(call);
  if (!place) return place.error().answer();
  const auto old = place->chat->members.find(place->user);
  const bool banned = old != place->chat->members.end() && string_in(old->second, "status") == "kicked";
  const bool stays = call.params.flag("only_if_banned") && !banned;
  return stays ? Answer::ok("true") : change(call, make_member("left"));
}

void take_rights(json::object& member, const json::object& rights) {
  for (auto& right : member) {
    if (right.value().is_bool() && rights.contains(right.key())) right.value() = rights.at(right.key());
  }
}

Answer restrict(Call& call) {
  json::object member = make_member("restricted");
  const std::optional<json::object> rights = parse_object(call.text("permissions"));
  if (rights) take_rights(member, *rights);
  member["until_date"] = call.number("until_date");
  return change(call, std::move(member));
}

Answer promote(Call& call) {
  json::object member = make_member("administrator");
  bool any = false;
  for (const schema::Slot& right : call.spec.params()) {
    if (!right.type().is_flag()) continue;
    const bool granted = call.params.flag(right.name);
    member[json_view(right.name)] = granted;
    any = any || granted;
  }
  member["can_be_edited"] = true;
  return change(call, any ? std::move(member) : make_member("member"));
}

Answer set_title(Call& call) {
  const Checked<Place> place = find_place(call);
  if (!place) return place.error().answer();
  json::object& member = place->chat->members[place->user];
  if (!is_administrator(member)) return Refusal("user is not an administrator").answer();
  member["custom_title"] = json_text(call.text("custom_title"));
  return Answer::ok("true");
}

Answer approve(Call& call) {
  const Checked<Place> place = find_place(call);
  if (!place) return place.error().answer();
  const bool asked = place->chat->join_requests.erase(place->user) > 0;
  if (!asked && call.world.strict) return Refusal("HIDE_REQUESTER_MISSING").answer();
  if (call.spec.name == "declineChatJoinRequest") return Answer::ok("true");
  return change(call, make_member("member"));
}

constexpr std::array methods = {
    NamedMethod("getChatMember", get_member),       NamedMethod("getChatAdministrators", get_administrators),
    NamedMethod("getChatMemberCount", get_count),   NamedMethod("banChatMember", ban),
    NamedMethod("unbanChatMember", unban),          NamedMethod("restrictChatMember", restrict),
    NamedMethod("promoteChatMember", promote),      NamedMethod("setChatAdministratorCustomTitle", set_title),
    NamedMethod("approveChatJoinRequest", approve), NamedMethod("declineChatJoinRequest", approve),
};

}  // namespace

std::span<const NamedMethod> member_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
