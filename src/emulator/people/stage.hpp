#pragma once
// Where people act: the world, the bots that hear of it, and the time.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tgkeep/time.hpp>
#include <vector>

#include "emulator/bot_account.hpp"
#include "emulator/methods/refusal.hpp"
#include "emulator/world/world.hpp"

namespace tgkeep::emulator {

/// What an action led to.
class Deed {
 public:
  Deed() = default;
  json::array updates;  ///< {bot, update_id}; null for one that its bot did not ask for
  json::value message;  ///< as the first bot sees it; null when there is none
  json::object shown() const;
};

class Stage {
 public:
  Stage(World& world, WallTime now, std::vector<BotAccount*> bots)
      : world(world), now(now), bots(std::move(bots)) {}

  World& world;
  const WallTime now;
  const std::vector<BotAccount*> bots;

  std::int64_t date() const noexcept { return unix_time(now); }
  void tell(Deed& deed, const BotAccount& bot, std::string_view kind, const json::object& content) const;
};

/// Who acts: `user`, an id or `@name`; a number nobody has is made a user. Without it, the first user there
/// is (a new one if there is none).
Checked<std::int64_t> acting_user(Stage& stage, const json::object& request);

/// The bot of `bot` (an id); without it the only one.
Checked<BotAccount*> acting_bot(Stage& stage, const json::object& request);

/// Where it happens: `chat`, an id or `@name`. Without it, the private chat of user and bot.
class Scene {
 public:
  Scene() = default;
  std::int64_t chat = 0;
  std::int64_t user = 0;
  std::vector<BotAccount*> bots;  ///< that are in the chat
  bool is_private() const noexcept { return chat == user; }
};
Checked<Scene> find_scene(Stage& stage, const json::object& request);

/// The message that `message_id` names in a scene; without it the newest that `fits`.
Checked<json::object*> find_target(Stage& stage, const Scene& scene, const json::object& request,
                                   const std::function<bool(const json::object&)>& fits,
                                   std::string_view what);

static_assert(!std::is_aggregate_v<Deed> && !std::is_aggregate_v<Stage> && !std::is_aggregate_v<Scene>);

}  // namespace tgkeep::emulator
