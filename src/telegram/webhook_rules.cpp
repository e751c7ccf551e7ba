#include "telegram/webhook_rules.hpp"

#include <algorithm>
#include <stdexcept>

namespace tgkeep::telegram {

namespace {

constexpr std::size_t kLongestSecret = 256;

bool fits_secret(char letter) {
  return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

}  // namespace

WebhookRefusal WebhookRefusal::bad_webhook(std::string_view reason) {
  std::string text = "Bad Request: bad webhook: ";
  return WebhookRefusal(text.append(reason));
}

std::optional<WebhookRefusal> refuse_secret(std::string_view secret) {
  if (secret.size() > kLongestSecret) return WebhookRefusal("Bad Request: secret token is too long");
  if (std::ranges::all_of(secret, fits_secret)) return std::nullopt;
  return WebhookRefusal("Bad Request: secret token contains unallowed characters");
}

int webhook_max_connections(const Params& params, WebhookRules rules) {
  const bool local = rules == WebhookRules::local;
  const std::int64_t most = local ? 100'000 : 100;
  const std::int64_t usual = local ? 100 : 40;
  return static_cast<int>(std::clamp<std::int64_t>(params.number("max_connections", usual), 1, most));
}

void throw_exception_from_error(const WebhookRefusal& error, const boost::source_location&) {
  throw std::runtime_error(error.description);
}

}  // namespace tgkeep::telegram
