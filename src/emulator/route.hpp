#pragma once
// From an HTTP request to a bot's token, a method and parameters. Pure.

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "emulator/answer.hpp"
#include "http/server.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

class Route {
 public:
  Route() = default;
  std::string token;
  bool test = false;           ///< /bot<token>/test/<method>
  bool webhook_reply = false;  ///< not a request: the answer of a webhook
  std::string method;
  telegram::Params params;
};

/// Reads the path and all parameters (query string, JSON, urlencoded and multipart bodies).
/// Nothing when the path is not one of the Bot API: `404 Not Found`.
std::optional<Route> read_route(const http::ServerRequest& request);

/// What the server says to a token by its shape alone; nothing when it looks right.
std::optional<Answer> refuse_token(std::string_view token);

static_assert(!std::is_aggregate_v<Route>);

}  // namespace tgkeep::emulator
