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
  const std::size_t begin = at + 1;
  std::size_t quote = text.find('"', begin);  // most of an answer is strings: the C library looks faster
  while (quote != std::string_view::npos) {
    std::size_t backslashes = 0;
    while (quote - backslashes > begin && text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
    quote = text.find('"', quote + 1);
  }
  return quote;
}

}  // namespace tgkeep::telegram
