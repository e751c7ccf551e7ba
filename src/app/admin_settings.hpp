#pragma once
// Where the running process is asked: from what the configuration says to what is opened.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/gateway.hpp>
#include <utility>
#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// Path of the socket that a process with this configuration opens; "" = none.
std::string admin_socket(const Config& config);

/// Address and port of `admin.listen`; nothing when it is not set, or wrong.
std::optional<std::pair<std::string, std::uint16_t>> admin_place(const Config& config);

/// What is wrong with `admin.*`, a sentence each; without the token, which is no setting.
std::vector<std::string> check_admin(const Config& config);

/// What to open, with the token. bad_config when that is missing or too short, or something else is wrong.
Result<AdminOptions> admin_to_open(const Config& config,
                                   const std::map<std::string, std::string>& environment);

}  // namespace tgkeep::app
