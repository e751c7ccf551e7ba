#pragma once
// What can only be wrong between settings, when each is right by itself.

#include <string>
#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// One sentence per problem.
std::vector<std::string> check_together(const Config& config);

/// The options that rooms are built from, still without token, secrets and built-in handler.
BotOptions options_of(const BotConfig& bot);

}  // namespace tgkeep::app
