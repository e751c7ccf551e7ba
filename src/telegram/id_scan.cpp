#include "telegram/id_scan.hpp"

#include <algorithm>
#include <charconv>

#include "telegram/json_scan.hpp"

namespace tgkeep::telegram {

namespace {

constexpr std::string_view kField = "\"update_id\"";

// What follows the key: a colon and a whole number that ends where a field ends.
std::optional<UpdateId> number_after(std::string_view raw, std::size_t at) noexcept {
  at = skip_space(raw, at);
  if (at == raw.size() || raw[at] != ':') return std::nullopt;
  at = skip_space(raw, at + 1);
  std::int64_t value = -1;
  const char* const end = raw.data() + raw.size();
  const auto [stop, failure] = std::from_chars(raw.data() + at, end, value);
  if (failure != std::errc() || value < 0 || value > kMaxUpdateId) return std::nullopt;
  const std::size_t next = skip_space(raw, static_cast<std::size_t>(stop - raw.data()));
  if (next == raw.size() || (raw[next] != ',' && raw[next] != '}')) return std::nullopt;
  return UpdateId(value);
}

}  // namespace

std::optional<UpdateId> scan_update_id(std::string_view raw) noexcept {
  std::optional<UpdateId> found;
  std::size_t keys = 0;
  std::int64_t depth = 0;
  for (std::size_t at = 0; at < raw.size();) {
    const char c = raw[at];
    if (c == '"') {
      const std::size_t end = skip_string(raw, at);
      if (end == std::string_view::npos) break;
      if (depth == 1 && raw.substr(at, end - at) == kField) {
        const std::size_t colon = skip_space(raw, end);
        if (colon < raw.size() && raw[colon] == ':') {
          ++keys;
          found = number_after(raw, end);
        }
      }
      at = end;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  if (keys != 1) return std::nullopt;
  return found;
}

std::optional<TextSpan> find_update_id(std::string_view raw) noexcept {
  std::int64_t depth = 0;
  for (std::size_t at = 0; at < raw.size();) {
    const char c = raw[at];
    if (c != '"') {
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at;
      continue;
    }
    const std::size_t end = skip_string(raw, at);
    if (end == std::string_view::npos) break;
    if (depth == 1 && raw.substr(at, end - at) == kField) {
      const std::size_t colon = skip_space(raw, end);
      if (colon < raw.size() && raw[colon] == ':') {
        const std::size_t begin = skip_space(raw, colon + 1);
        return TextSpan(begin, std::min(raw.find_first_not_of("0123456789", begin), raw.size()));
      }
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace tgkeep::telegram
