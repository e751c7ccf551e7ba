#pragma once
// What a reload changes of a bot. Pure.

#include <string>
#include <tgkeep/bot_options.hpp>
#include <vector>

namespace tgkeep::app {

/// The settings that differ, by the names they have in a file, never with their values. Functions (handler,
/// sequentialize, callbacks, transformers) differ when their types do: two of one type can't be told apart.
std::vector<std::string> differences(const BotOptions& now, const BotOptions& next);

/// Whether a store that is open serves the next options as well as these.
bool same_store(const BotOptions& now, const BotOptions& next);

}  // namespace tgkeep::app
