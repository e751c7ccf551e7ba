#pragma once
// Walks JSON text byte by byte without judging it: enough to find where a string or a value ends, also inside
// text a parser refuses. Pure; any thread.

#include <cstddef>
#include <string_view>

namespace tgkeep::telegram {

constexpr bool is_json_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

inline std::size_t skip_space(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && is_json_space(text[at])) ++at;
  return at;
}

/// `at` is the opening quote; returns the place after the closing one, or npos when there is none.
inline std::size_t skip_string(std::string_view text, std::size_t at) noexcept {
  ++at;
  for (;;) {
    while (at < text.size() && text[at] != '"' && text[at] != '\\')
      ++at;  // most bytes: a loop of its own is faster
    if (at >= text.size()) return std::string_view::npos;
    if (text[at] == '"') return at + 1;
    at += 2;
  }
}

}  // namespace tgkeep::telegram
