#pragma once
// The `file_path` of getFile as part of a URL. Pure.

#include <optional>
#include <string>
#include <string_view>

namespace tgkeep::telegram {

/// With all that has a meaning in a URL escaped; nothing when it is empty, absolute or leads upwards.
std::optional<std::string> url_path(std::string_view file_path);

}  // namespace tgkeep::telegram
