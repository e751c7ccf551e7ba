#include "sink/settle_token.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace tgkeep::sink {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::optional<std::uint64_t> number(std::string_view digits) noexcept {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value << 4U | digit;
  }
  return value;
}

void append(std::string& text, std::uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[value >> static_cast<unsigned>(shift) & 0xFU];
}

}  // namespace

SettleToken SettleToken::random() {
  SettleToken token(0, 0);
  std::uint64_t bits[2];
  // So few bytes come whole or not at all.
  ssize_t got = -1;
  do {
    got = ::getrandom(bits, sizeof bits, 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof bits)) {
    throw std::system_error(errno, std::generic_category(), "no random bytes for a settle URL");
  }
  token.high_ = bits[0];
  token.low_ = bits[1];
  return token;
}

std::optional<SettleToken> SettleToken::parse(std::string_view text) noexcept {
  if (text.size() != 32) return std::nullopt;
  const auto high = number(text.substr(0, 16));
  const auto low = number(text.substr(16));
  if (!high || !low) return std::nullopt;
  return SettleToken(*high, *low);
}

std::string SettleToken::text() const {
  std::string text;
  append(text, high_);
  append(text, low_);
  return text;
}

}  // namespace tgkeep::sink
