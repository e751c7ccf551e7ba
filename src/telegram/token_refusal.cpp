#include "telegram/token_refusal.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace tgkeep::telegram {

namespace {

constexpr std::size_t kLongest = 80;
constexpr std::int64_t kEndOfBots = std::int64_t{1} << 54;

}  // namespace

std::optional<TokenRefusal> refuse_token(std::string_view token) {
  const TokenRefusal invalid(401, "Unauthorized: invalid token specified");
  const std::size_t colon = token.find(':');
  if (token.starts_with('0') || token.size() > kLongest || colon == std::string_view::npos) return invalid;
  std::int64_t id = 0;
  const char* const id_end = token.data() + colon;
  const auto [end, error] = std::from_chars(token.data(), id_end, id);
  if (end != id_end || error == std::errc::invalid_argument) {
    return TokenRefusal(421, "Misdirected Request: unallowed token specified");
  }
  if (error != std::errc() || id <= 0 || id >= kEndOfBots) return invalid;
  return std::nullopt;
}

}  // namespace tgkeep::telegram
