#pragma once
// Finds update_id in text that could not be read as JSON.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tgkeep/id.hpp>

namespace tgkeep::telegram {

/// The largest update_id taken: what every JSON reader holds exactly. Telegram's own stay below
/// 2,000,000,000.
inline constexpr std::int64_t kMaxUpdateId = (std::int64_t{1} << 53) - 1;

/// The number behind an `"update_id"` that stands directly in the outermost object, if there is exactly one.
std::optional<UpdateId> scan_update_id(std::string_view raw) noexcept;

}  // namespace tgkeep::telegram
