#pragma once
// Tokens and secrets: from the environment or from files of their own, never from anywhere else, never shown.

#include <map>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/gateway.hpp>
#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// What the variable holds, else the file; "" when neither is there. bad_config when the file can't be read.
Result<std::string> read_secret(const std::string& variable, const std::string& file,
                                std::string_view file_setting,
                                const std::map<std::string, std::string>& environment);

/// The sentence with the bot's name before it, if it has one.
std::string about(const BotConfig& bot, std::string sentence);

/// The bot's token, of the right form. bad_config says what to do, never what the token was.
Result<std::string> read_token(const BotConfig& bot, const std::map<std::string, std::string>& environment);

/// What Telegram's requests have to bring, one or more. bad_config when there is none, or a malformed one.
Result<std::vector<std::string>> webhook_secrets(const BotConfig& bot,
                                                 const std::map<std::string, std::string>& environment);

/// What pushes bring; "" when there is none. bad_config when it is malformed.
Result<std::string> push_secret(const BotConfig& bot, const std::map<std::string, std::string>& environment);

/// The bots to run, in the order of `config.all_bots()`, with token, secrets and folder; still without a
/// built-in handler. bad_config names the bot and what is missing.
Result<std::vector<BotOptions>> bots_to_run(const Config& config,
                                            const std::map<std::string, std::string>& environment);

/// Where the bot's store is. Needs the token only when the folder is named by the bot's id.
Result<std::string> folder_of(const BotConfig& bot, const std::map<std::string, std::string>& environment);

}  // namespace tgkeep::app
