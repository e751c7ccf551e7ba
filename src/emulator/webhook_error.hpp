#pragma once
// A failed webhook request in the words of getWebhookInfo. Pure.

#include <chrono>
#include <optional>
#include <string>

#include "http/client.hpp"

namespace tgkeep::emulator {

/// "" for a 2xx. What libcurl says is turned into the server's own words where they are known.
std::string webhook_error(const http::ClientResult& result);

/// The Retry-After header in whole seconds; nothing when it is a date or not there.
std::optional<std::chrono::seconds> retry_after_of(const http::ClientResult& result);

bool is_accepted(const http::ClientResult& result) noexcept;

}  // namespace tgkeep::emulator
