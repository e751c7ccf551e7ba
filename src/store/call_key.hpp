#pragma once
// The ordering key of a call left to the outbox: calls to one chat go out in the order in which they were
// left.

#include <optional>
#include <string_view>
#include <tgkeep/update.hpp>

namespace tgkeep::store {

/// `chat:<chat_id>` of the bot, when `params` is a JSON object with a string or whole number `chat_id`; else
/// nothing.
std::optional<OrderingKey> call_key(BotId bot, std::string_view params);

}  // namespace tgkeep::store
