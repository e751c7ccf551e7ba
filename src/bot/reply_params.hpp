#pragma once
// The parameters of a message that answers an update where it came from.

#include <string>
#include <string_view>
#include <tgkeep/error.hpp>

#include "bot/update_fields.hpp"

namespace tgkeep::bot {

/// Of sendMessage, as JSON: chat, business connection, forum topic and topic of direct messages. misuse for
/// an update that has no chat the bot may write to; the text names what to do instead.
Result<std::string> reply_params(std::string_view kind, const json::object& content, std::string_view text);

}  // namespace tgkeep::bot
