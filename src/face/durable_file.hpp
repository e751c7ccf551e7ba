#pragma once
// A small file that is written whole or not at all, and that only its owner may read.

#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>

namespace tgkeep::face {

/// Nothing when there is none. store_unusable says why it can't be read.
Result<std::optional<std::string>> read_file(const std::string& path);

/// On disk, under its name, when it returns; a failure (store_unusable) leaves the old one.
Result<void> write_file(const std::string& path, std::string_view text);

}  // namespace tgkeep::face
