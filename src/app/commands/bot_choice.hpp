#pragma once
// The bots of a change that can be about several.

#include <string>
#include <vector>

#include "app/ask/json_fields.hpp"

namespace tgkeep::app {

/// How requests name a bot of a status: its id, or its name where that is not known.
std::string path_name(const json::value& bot);

/// All bots of a status whose target is `push HOST:PORT`. CommandEnd (4) names the targets there are.
std::vector<std::string> bots_pushed_to(const json::value& status, const std::string& place);

/// All of them.
std::vector<std::string> all_bots_of(const json::value& status);

}  // namespace tgkeep::app
