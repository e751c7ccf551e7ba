// Coming and going: users in groups, bots in groups, stopped bots, upgraded groups.

#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/people/actions.hpp"
#include "emulator/world/chat_member.hpp"
#include "emulator/world/membership.hpp"

namespace tgkeep::emulator {

namespace {

Checked<Scene> find_group_scene(Stage& stage, const json::object& request) {
  Checked<Scene> scene = find_scene(stage, request);
  if (scene && scene->is_private()) return Refusal("chat: a group, supergroup or channel");
  return scene;
}

/// Sends the change through a deed, so that its updates are listed.
class Change {
 public:
  Change(Stage& stage, Deed& deed) : world_(stage.world), before_(stage.world.deliver) {
    world_.deliver = [before = before_, &deed](std::int64_t bot, std::string_view kind,
                                               const json::object& content) {
      const std::optional<std::int64_t> id = before(bot, kind, content);
      json::object update;
      update["bot"] = bot;
      update["update_id"] = nullptr;
      if (id) update["update_id"] = *id;
      deed.updates.push_back(std::move(update));
      return id;
    };
  }
  ~Change() { world_.deliver = before_; }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  World& world_;
  Deliver before_;
};

void add(Deed& deed, Deed more) {
  for (json::value& update : more.updates) deed.updates.push_back(std::move(update));
  if (deed.message.is_null()) deed.message = std::move(more.message);
}

Checked<Deed> join(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_group_scene(stage, request);
  if (!scene) return scene.error();
  ChatRecord& chat = *stage.world.directory.find_chat(scene->chat);
  chat.members[scene->user] = make_member("left");
  const json::object user = stage.world.directory.user(scene->user).profile;
  Deed deed;
  {
    const Change change(stage, deed);
    change_member(stage.world, chat, scene->user, make_member("member"), user, stage.now);
  }
  json::object content;
  content["new_chat_members"] = json::array{user};
  if (!chat.is_channel()) add(deed, write_message(stage, *scene, content, request));
  return deed;
}

Checked<Deed> leave(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_group_scene(stage, request);
  if (!scene) return scene.error();
  ChatRecord& chat = *stage.world.directory.find_chat(scene->chat);
  const json::object user = stage.world.directory.user(scene->user).profile;
  Deed deed;
  {
    const Change change(stage, deed);
    change_member(stage.world, chat, scene->user, make_member("left"), user, stage.now);
  }
  json::object content;
  content["left_chat_member"] = user;
  if (!chat.is_channel()) add(deed, write_message(stage, *scene, content, request));
  return deed;
}

Checked<Deed> ask_to_join(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_group_scene(stage, request);
  if (!scene) return scene.error();
  ChatRecord& chat = *stage.world.directory.find_chat(scene->chat);
  chat.members[scene->user] = make_member("left");
  chat.join_requests.insert(scene->user);
  json::object content;
  content["chat"] = chat.profile;
  content["from"] = stage.world.directory.user(scene->user).profile;
  content["user_chat_id"] = scene->user;
  content["date"] = stage.date();
  if (request.contains("bio")) content["bio"] = request.at("bio");
  Deed deed;
  for (const BotAccount* bot : scene->bots) stage.tell(deed, *bot, "chat_join_request", content);
  return deed;
}

/// `user` gives the bot another `status` in the chat: member, administrator, left, kicked, restricted.
Checked<Deed> set_bot(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_group_scene(stage, request);
  if (!scene) return scene.error();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  const std::string_view status = string_in(request, "status");
  if (status.empty()) return Refusal("status: member, administrator, restricted, left or kicked");
  ChatRecord& chat = *stage.world.directory.find_chat(scene->chat);
  Deed deed;
  const Change change(stage, deed);
  change_member(stage.world, chat, (*bot)->id.value(), make_member(status),
                stage.world.directory.user(scene->user).profile, stage.now);
  return deed;
}

template <bool blocked>
Checked<Deed> block(Stage& stage, const json::object& request) {
  const Checked<std::int64_t> user = acting_user(stage, request);
  if (!user) return user.error();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  Deed deed;
  const Change change(stage, deed);
  change_block(stage.world, (*bot)->id.value(), *user, blocked, stage.now);
  return deed;
}

/// The group becomes a supergroup: writing to its old id is refused with the new one.
Checked<Deed> upgrade(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_group_scene(stage, request);
  if (!scene) return scene.error();
  if (is_channel_id(scene->chat)) return Refusal("chat: it is a supergroup already");
  json::object profile = stage.world.directory.find_chat(scene->chat)->profile;
  profile.erase("id");
  profile["type"] = "supergroup";
  const std::int64_t id = stage.world.directory.add_chat(std::move(profile));
  ChatRecord& old = *stage.world.directory.find_chat(scene->chat);
  stage.world.directory.find_chat(id)->members = old.members;
  json::object leaving;
  leaving["migrate_to_chat_id"] = id;
  Deed deed = write_message(stage, *scene, leaving, request);
  old.migrated_to = id;
  json::object arriving;
  arriving["migrate_from_chat_id"] = scene->chat;
  Scene there = *scene;
  there.chat = id;
  add(deed, write_message(stage, there, arriving, request));
  return deed;
}

Checked<Deed> deactivate(Stage& stage, const json::object& request) {
  const Checked<std::int64_t> user = acting_user(stage, request);
  if (!user) return user.error();
  stage.world.directory.user(*user).deactivated = true;
  return Deed();
}

constexpr std::array actions = {
    NamedAction("join", join),
    NamedAction("leave", leave),
    NamedAction("ask-to-join", ask_to_join),
    NamedAction("set-bot", set_bot),
    NamedAction("block", block<true>),
    NamedAction("unblock", block<false>),
    NamedAction("upgrade", upgrade),
    NamedAction("deactivate", deactivate),
};

}  // namespace

std::span<const NamedAction> member_actions() noexcept {
  return actions;
}

}  // namespace tgkeep::emulator
