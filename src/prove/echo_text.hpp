#pragma once
// The text of an echo bot's answers: it names the update, so that each call can be told from all others.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/id.hpp>

namespace tgkeep::prove {

std::string echo_text(UpdateId update);
/// The update such a text answers; nothing for any other text.
std::optional<UpdateId> answered_update(std::string_view text);

/// The ordering key of a chat of the bot itself.
std::string chat_key(std::int64_t chat);

}  // namespace tgkeep::prove
