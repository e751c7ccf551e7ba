#pragma once
// Answers as the Bot API server gives them.

#include <chrono>
#include <optional>
#include <string_view>

#include "http/server.hpp"

namespace tgkeep::face {

/// The header of a failed call that says what became of it: not_sent, maybe_sent or refused.
inline constexpr const char* kOutcomeHeader = "Tgkeep-Outcome";

/// {"ok":true,"result":…}; `result` is JSON. With `description` behind it when there is one.
http::ServerReply ok(std::string_view result, std::string_view description = {});
/// {"ok":false,"error_code":…}; status = code. With `retry_after` in parameters and header.
http::ServerReply refusal(int code, std::string_view description,
                          std::optional<std::chrono::seconds> retry_after = std::nullopt);

}  // namespace tgkeep::face
