#include "app/display/safe_text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace tgkeep::app {

namespace {

constexpr std::uint32_t kBroken = 0xffffffff;

/// One character and how many bytes it has; a byte that begins none is broken.
class CodePoint {
 public:
  CodePoint(std::uint32_t value, std::size_t bytes) : value(value), bytes(bytes) {}
  std::uint32_t value;
  std::size_t bytes;
};

CodePoint first_of(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t head = byte(0);
  if (head < 0x80) return CodePoint(head, 1);
  const std::size_t length = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4 || text.size() < length) return CodePoint(kBroken, 1);
  std::uint32_t value = head & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return CodePoint(kBroken, 1);
    value = value << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[length] || value > 0x10ffff || surrogate) return CodePoint(kBroken, 1);
  return CodePoint(value, length);
}

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
    const CodePoint point = first_of(text);
    if (point.value == kBroken || (point.value < 0x80 && is_unsafe(point.value) &&
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
    const CodePoint point = first_of(safe);
    columns += point.value == kBroken ? 1 : width_of(point.value);
    safe.remove_prefix(point.bytes);
  }
  return columns;
}

std::string cut_to(std::string_view safe, std::size_t columns) {
  if (columns_of(safe) <= columns) return std::string(safe);
  std::string kept;
  std::size_t used = 1;  // for the …
  while (!safe.empty()) {
    const CodePoint point = first_of(safe);
    used += point.value == kBroken ? 1 : width_of(point.value);
    if (used > columns) break;
    kept += safe.substr(0, point.bytes);
    safe.remove_prefix(point.bytes);
  }
  return kept + "…";
}

}  // namespace tgkeep::app
