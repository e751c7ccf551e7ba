#include "emulator/world/base64.hpp"

#include <cstdint>

namespace tgkeep::emulator {

namespace {

constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view for_urls = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(byte);
    for (count += 8; count >= 6; count -= 6) text += alphabet[bits >> (count - 6) & 63U];
  }
  if (count > 0) text += alphabet[bits << (6 - count) & 63U];
  return text;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text = encode(bytes, plain);
  while (text.size() % 4 != 0) text += '=';
  return text;
}

std::string base64url(std::string_view bytes) {
  return encode(bytes, for_urls);
}

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    std::size_t digit = plain.find(letter);
    if (digit == std::string_view::npos) digit = for_urls.find(letter);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  return bytes;
}

}  // namespace tgkeep::emulator
