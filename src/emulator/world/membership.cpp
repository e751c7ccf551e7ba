#include "emulator/world/membership.hpp"

#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

json::object changed(const json::object& chat, const json::object& actor, WallTime now, json::object before,
                     json::object after) {
  json::object update;
  update["chat"] = chat;
  update["from"] = actor;
  update["date"] = unix_time(now);
  update["old_chat_member"] = std::move(before);
  update["new_chat_member"] = std::move(after);
  return update;
}

}  // namespace

void change_member(World& world, ChatRecord& chat, std::int64_t user, json::object member,
                   const json::object& actor, WallTime now) {
  json::object before = world.member_object(chat, user);
  chat.members[user] = std::move(member);
  const json::object update =
      changed(chat.profile, actor, now, std::move(before), world.member_object(chat, user));
  if (world.bots.contains(user)) world.deliver(user, "my_chat_member", update);
  for (const auto& [id, other] : chat.members) {
    if (id != user && is_present(other) && world.bots.contains(id)) world.deliver(id, "chat_member", update);
  }
}

void change_block(World& world, std::int64_t bot, std::int64_t user, bool blocked, WallTime now) {
  UserRecord& record = world.directory.user(user);
  if (blocked) {
    record.blocked.insert(bot);
  } else {
    record.blocked.erase(bot);
    record.started.insert(bot);
  }
  const auto status = [&](bool kicked) {
    json::object member = make_member(kicked ? "kicked" : "member");
    member["user"] = world.directory.user(bot).profile;
    return member;
  };
  const json::object chat = *world.directory.chat_object(user);
  world.deliver(bot, "my_chat_member",
                changed(chat, world.directory.user(user).profile, now, status(!blocked), status(blocked)));
}

}  // namespace tgkeep::emulator
