#pragma once
// Bytes in JSON.

#include <optional>
#include <string>
#include <string_view>

namespace tgkeep::emulator {

std::string base64(std::string_view bytes);
/// With - and _, without padding.
std::string base64url(std::string_view bytes);
/// Reads both alphabets, padded or not; nothing when it is neither.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace tgkeep::emulator
