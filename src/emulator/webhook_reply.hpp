#pragma once
// The Bot API call in a webhook's answer. Pure.

#include <optional>

#include "emulator/route.hpp"
#include "http/client.hpp"

namespace tgkeep::emulator {

/// Read like a request: JSON, urlencoded or multipart, with a parameter `method`. Nothing when there is none,
/// or one that is not taken from an answer: setWebhook, deleteWebhook, close, logOut and get….
std::optional<Route> read_webhook_reply(const http::ClientResponse& response);

}  // namespace tgkeep::emulator
