// Bots, users and chats come into being.

#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/control/desk.hpp"
#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

void take(json::object& to, const json::object& from, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (from.contains(name)) to[name] = from.at(name);
  }
}

/// Made, or changed when there is one of this id.
Checked<json::value> make_bot(Desk& desk, const json::object& request) {
  const std::string_view token = string_in(request, "token");
  if (token.empty()) return Refusal("token: of the form 4242:letters");
  if (refuse_token(token)) return Refusal("token: not of the form 4242:letters");
  const bool test = flag_in(request, "test");
  const std::int64_t id = whole_number(token.substr(0, token.find(':'))).value_or(0);
  BotAccount* known = test ? nullptr : desk.server.find_bot(id);
  const auto seed = static_cast<std::uint64_t>(number_in(request, "seed", 1));
  BotAccount& bot = known == nullptr ? desk.server.add_bot(token, seed, test) : *known;
  take(bot.profile, request,
       {"first_name", "username", "can_join_groups", "can_read_all_group_messages",
        "supports_inline_queries"});
  bot.sees_all = flag_in(bot.profile, "can_read_all_group_messages");
  desk.server.world().directory.add_user(bot.short_profile());
  return json::value(bot.profile);
}

Checked<json::value> make_user(Desk& desk, const json::object& request) {
  json::object profile = request;
  profile.erase("started");
  Directory& directory = desk.server.world().directory;
  const std::int64_t id = directory.add_user(std::move(profile));
  UserRecord& user = directory.user(id);
  // Someone the bots may write to at once.
  if (flag_in(request, "started")) {
    for (const BotAccount* bot : desk.server.bots()) user.started.insert(bot->id.value());
  }
  return json::value(user.profile);
}

/// All bots are in it as `bots` says: member (without it), administrator or none.
Checked<json::value> make_chat(Desk& desk, const json::object& request) {
  json::object profile = request;
  for (const char* name : {"members", "bots", "owner"}) profile.erase(name);
  World& world = desk.server.world();
  const std::int64_t id = world.directory.add_chat(std::move(profile));
  ChatRecord& chat = *world.directory.find_chat(id);
  const std::string_view status = string_in(request, "bots");
  for (const BotAccount* bot : desk.server.bots()) {
    if (status != "none") chat.members[bot->id.value()] = make_member(status.empty() ? "member" : status);
  }
  if (const json::array* members = array_in(request, "members")) {
    for (const json::value& member : *members) {
      if (!member.is_int64()) return Refusal("members: a list of user ids");
      world.directory.user(member.get_int64());
      chat.members[member.get_int64()] = make_member("member");
    }
  }
  if (const std::int64_t owner = number_in(request, "owner"); owner > 0) {
    world.directory.user(owner);
    chat.members[owner] = make_member("creator");
  }
  return json::value(chat.profile);
}

constexpr std::array requests = {
    NamedRequest("bots", make_bot),
    NamedRequest("users", make_user),
    NamedRequest("chats", make_chat),
};

}  // namespace

std::span<const NamedRequest> making_requests() noexcept {
  return requests;
}

}  // namespace tgkeep::emulator
