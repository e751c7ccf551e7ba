#include "app/display/safe_text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "words/code_point.hpp"

namespace tgkeep::app {

namespace {

using words::CodePoint;
using words::first_code_point;

bool between(std::uint32_t value, std::uint32_t first, std::uint32_t last) {
  return value >= first && value <= last;
}

/// Controls, and marks that turn the direction of writing or break lines.
bool is_unsafe(std::uint32_t value) {
  return value < 0x20 || between(value, 0x7f, 0x9f) || value == 0x061c || between(value, 0x200e, 0x200f) ||
         between(value, 0x2028, 0x202e) || between(value, 0x2066, 0x2069) || value == 0xfeff;
}

bool is_wide(std::uint32_t value) {
  return between(value, 0x1100, 0x115f) || between(value, 0x2e80, 0x303e) || between(value, 0x3041, 0xa4cf) ||
         between(value, 0xac00, 0xd7a3) || between(value, 0xf900, 0xfaff) || between(value, 0xfe30, 0xfe6f) ||
         between(value, 0xff00, 0xff60) || between(value, 0xffe0, 0xffe6) ||
         between(value, 0x1f300, 0x1f64f) || between(value, 0x1f680, 0x1f6ff) ||
         between(value, 0x1f900, 0x1faff) || between(value, 0x20000, 0x3fffd);
}

bool is_mark(std::uint32_t value) {
  return between(value, 0x0300, 0x036f) || between(value, 0x200b, 0x200d) || between(value, 0xfe00, 0xfe0f) ||
         between(value, 0x20d0, 0x20ff);
}

std::size_t width_of(std::uint32_t value) {
  if (is_mark(value)) return 0;
  return is_wide(value) ? 2 : 1;
}

}  // namespace

std::string safe_text(std::string_view text, bool lines) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!point.valid || (point.value < 0x80 && is_unsafe(point.value) &&
                         !(lines && (point.value == '\n' || point.value == '\t')))) {
      fmt::format_to(std::back_inserter(safe), "\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (point.value >= 0x80 && is_unsafe(point.value)) {
      fmt::format_to(std::back_inserter(safe), "\\u{:04x}", point.value);
    } else {
      safe += text.substr(0, point.bytes);
    }
    text.remove_prefix(point.bytes);
  }
  return safe;
}

std::size_t columns_of(std::string_view safe) {
  std::size_t columns = 0;
  while (!safe.empty()) {
    const CodePoint point = first_code_point(safe);
    columns += !point.valid ? 1 : width_of(point.value);
    safe.remove_prefix(point.bytes);
  }
  return columns;
}

std::string cut_to(std::string_view safe, std::size_t columns) {
  if (columns_of(safe) <= columns) return std::string(safe);
  std::string kept;
  std::size_t used = 1;  // for the …
  while (!safe.empty()) {
    const CodePoint point = first_code_point(safe);
    used += !point.valid ? 1 : width_of(point.value);
    if (used > columns) break;
    kept += safe.substr(0, point.bytes);
    safe.remove_prefix(point.bytes);
  }
  return kept + "…";
}

}  // namespace tgkeep::app
