#pragma once
// Finds update_id in text, without reading it as JSON.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tgkeep/id.hpp>
#include <type_traits>

namespace tgkeep::telegram {

/// The largest update_id taken: what every JSON reader holds exactly. Telegram's own stay below
/// 2,000,000,000.
inline constexpr std::int64_t kMaxUpdateId = (std::int64_t{1} << 53) - 1;

/// For text that could not be read as JSON: the number behind an `"update_id"` that stands directly in the
/// outermost object, if there is exactly one.
std::optional<UpdateId> scan_update_id(std::string_view raw) noexcept;

/// Where in a text a piece of it stands.
class TextSpan {
 public:
  TextSpan(std::size_t begin, std::size_t end) : begin(begin), end(end) {}
  std::size_t begin;
  std::size_t end;
};

/// The digits of the first `"update_id"` of the outermost object; nothing when there is none written so.
/// `raw` is valid JSON.
std::optional<TextSpan> find_update_id(std::string_view raw) noexcept;

static_assert(!std::is_aggregate_v<TextSpan>);

}  // namespace tgkeep::telegram
