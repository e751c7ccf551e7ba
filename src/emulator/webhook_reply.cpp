#include "emulator/webhook_reply.hpp"

#include <algorithm>
#include <array>

namespace tgkeep::emulator {

namespace {

constexpr std::array<std::string_view, 4> refused = {"deleteWebhook", "setWebhook", "close", "logOut"};

bool is_taken(std::string_view method) {
  if (method.empty() || telegram::same_ignoring_case(method.substr(0, 3), "get")) return false;
  return std::ranges::none_of(
      refused, [method](std::string_view name) { return telegram::same_ignoring_case(name, method); });
}

}  // namespace

std::optional<Route> read_webhook_reply(const http::ClientResponse& response) {
  const std::string* const type = http::find_header(response.headers, "Content-Type");
  if (type == nullptr || response.body.empty()) return std::nullopt;
  Route route;
  telegram::add_body(route.params, *type, response.body);
  route.method = route.params.text("method");
  if (!is_taken(route.method)) return std::nullopt;
  route.webhook_reply = true;
  return route;
}

}  // namespace tgkeep::emulator
