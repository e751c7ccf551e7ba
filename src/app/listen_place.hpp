#pragma once
// An address and a port as people write them. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tgkeep::app {

/// `127.0.0.1:9480`, `[::1]:9480`; nothing when it is none.
std::optional<std::pair<std::string, std::uint16_t>> read_place(std::string_view text);

}  // namespace tgkeep::app
