#pragma once
// Somebody's status in a group changes, and the bots hear of it.

#include <cstdint>
#include <tgkeep/time.hpp>

#include "emulator/world/world.hpp"

namespace tgkeep::emulator {

/// Sets the status of `user` and sends chat_member to the chat's bots; a bot's own change goes to it as
/// my_chat_member. `actor` is the User who did it.
void change_member(World& world, ChatRecord& chat, std::int64_t user, json::object member,
                   const json::object& actor, WallTime now);

/// A user stops or starts a bot: my_chat_member of their private chat.
void change_block(World& world, std::int64_t bot, std::int64_t user, bool blocked, WallTime now);

}  // namespace tgkeep::emulator
