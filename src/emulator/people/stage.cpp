#include "emulator/people/stage.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/world/chat_member.hpp"

namespace tgkeep::emulator {

namespace {

/// The id that `request[name]` says, as a number or `@name`; 0 when it says nothing.
Checked<std::int64_t> named_id(const Stage& stage, const json::object& request, std::string_view name) {
  const json::value* value = member_of(request, name);
  if (value == nullptr || value->is_null()) return 0;
  if (const std::int64_t id = number_in(request, name); id != 0) return id;
  const std::optional<std::int64_t> found = stage.world.directory.find_name(string_in(request, name));
  if (!found)
    return Refusal("nobody is called " + std::string(string_in(request, name)) + " (" + std::string(name) +
                   ")");
  return *found;
}

bool is_in(const ChatRecord& chat, std::int64_t user) {
  const auto member = chat.members.find(user);
  return member != chat.members.end() && is_present(member->second);
}

}  // namespace

json::object Deed::shown() const {
  json::object shown;
  shown["updates"] = updates;
  if (!message.is_null()) shown["message"] = message;
  return shown;
}

void Stage::tell(Deed& deed, const BotAccount& bot, std::string_view kind,
                 const json::object& content) const {
  const std::optional<std::int64_t> id = world.deliver(bot.id.value(), kind, content);
  json::object update;
  update["bot"] = bot.id.value();
  update["update_id"] = nullptr;
  if (id) update["update_id"] = *id;
  deed.updates.push_back(std::move(update));
}

Checked<std::int64_t> acting_user(Stage& stage, const json::object& request) {
  Checked<std::int64_t> id = named_id(stage, request, "user");
  if (!id) return id;
  if (*id < 0) return Refusal("user: a user's id is positive");
  if (*id > 0) {
    stage.world.directory.user(*id);
    return id;
  }
  for (const auto& [known, user] : stage.world.directory.users()) {
    if (!flag_in(user.profile, "is_bot")) return known;
  }
  json::object profile;
  profile["first_name"] = "Alice";
  profile["username"] = "alice";
  profile["language_code"] = "en";
  return stage.world.directory.add_user(std::move(profile));
}

Checked<BotAccount*> acting_bot(Stage& stage, const json::object& request) {
  const Checked<std::int64_t> id = named_id(stage, request, "bot");
  if (!id) return id.error();
  if (*id == 0 && stage.bots.size() == 1) return stage.bots.front();
  const auto found =
      std::ranges::find_if(stage.bots, [&](const BotAccount* bot) { return bot->id.value() == *id; });
  if (found != stage.bots.end()) return *found;
  return Refusal(*id == 0 ? "bot: there are several bots (or none); say which"
                          : "bot: there is no bot with this id");
}

Checked<Scene> find_scene(Stage& stage, const json::object& request) {
  Scene scene;
  const Checked<std::int64_t> user = acting_user(stage, request);
  if (!user) return user.error();
  const Checked<std::int64_t> chat = named_id(stage, request, "chat");
  if (!chat) return chat.error();
  scene.user = *user;
  scene.chat = *chat == 0 ? *user : *chat;
  if (scene.is_private()) {
    const Checked<BotAccount*> bot = acting_bot(stage, request);
    if (!bot) return bot.error();
    scene.bots.push_back(*bot);
    return scene;
  }
  if (scene.chat > 0) return Refusal("chat: this is another user's private chat");
  ChatRecord* group = stage.world.directory.find_chat(scene.chat);
  if (group == nullptr) {
    group = &stage.world.directory.make_chat(scene.chat);
    for (const BotAccount* bot : stage.bots) group->members[bot->id.value()] = make_member("member");
  }
  if (!is_in(*group, scene.user)) group->members[scene.user] = make_member("member");
  for (BotAccount* bot : stage.bots) {
    if (is_in(*group, bot->id.value())) scene.bots.push_back(bot);
  }
  return scene;
}

Checked<json::object*> find_target(Stage& stage, const Scene& scene, const json::object& request,
                                   const std::function<bool(const json::object&)>& fits,
                                   std::string_view what) {
  if (scene.bots.empty()) return Refusal("chat: there is no bot in this chat");
  const std::int64_t bot = scene.bots.front()->id.value();
  std::int64_t id = number_in(request, "message_id");
  if (id == 0) {
    for (const json::value& message : stage.world.messages.of_chat(bot, scene.chat)) {
      if (fits(message.as_object())) id = number_in(message.as_object(), "message_id");
    }
  }
  json::object* message = stage.world.messages.find(bot, scene.chat, id);
  if (message == nullptr || !fits(*message)) return Refusal("message_id: there is no " + std::string(what));
  return message;
}

}  // namespace tgkeep::emulator
