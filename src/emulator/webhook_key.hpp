#pragma once
// Which of Telegram's own queues an update stands in when it is sent by webhook.

#include <cstdint>
#include <string_view>

namespace tgkeep::emulator {

/// Chat, user or poll id plus k · 2^33, k by kind: a message, a callback query and a member change of one
/// chat are three queues. `update` is the whole update's JSON text. What has no id, and every kind this
/// version does not know, gets a queue of its own. The numbers of `subscription` (k = 14) and
/// `stopped_message_generation` (k = 15) are ours: no public server has them yet.
std::int64_t webhook_key(std::string_view kind, std::string_view update, std::int64_t update_id);

}  // namespace tgkeep::emulator
