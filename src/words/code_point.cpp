#include "words/code_point.hpp"

namespace tgkeep::words {

CodePoint first_code_point(std::string_view text) noexcept {
  const CodePoint broken(0, 1, false);
  const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint32_t head = byte(0);
  if (head < 0x80) return CodePoint(head, 1, true);
  const std::size_t length = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4 || text.size() < length) return broken;
  std::uint32_t value = head & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return broken;
    value = value << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[length] || value > 0x10ffff || surrogate) return broken;
  return CodePoint(value, length, true);
}

}  // namespace tgkeep::words
