#pragma once
// What the Bot API server says to a token by its shape alone. Pure.

#include <optional>
#include <string_view>
#include <type_traits>

namespace tgkeep::telegram {

class TokenRefusal {
 public:
  TokenRefusal(int code, std::string_view description) : code(code), description(description) {}
  int code;  ///< 401, or 421
  std::string_view description;
};

/// Nothing when it may be a bot's.
std::optional<TokenRefusal> refuse_token(std::string_view token);

static_assert(!std::is_aggregate_v<TokenRefusal>);

}  // namespace tgkeep::telegram
