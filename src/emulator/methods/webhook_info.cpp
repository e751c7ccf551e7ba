// getWebhookInfo.

#include <array>
#include <boost/json/array.hpp>

#include "emulator/methods/registry.hpp"

namespace tgkeep::emulator {

namespace {

Answer get_webhook_info(Call& call) {
  const BotAccount& account = call.bot;
  const WebhookState& webhook = account.webhook;
  json::object info;
  info["url"] = webhook.settings ? webhook.settings->given_url : "";
  info["has_custom_certificate"] = webhook.settings && !webhook.settings->certificate.empty();
  info["pending_update_count"] = account.queue.size();
  if (webhook.settings) {
    const std::string& address = webhook.settings->address;
    info["ip_address"] = address.empty() ? "<unknown>" : address;
  }
  if (webhook.settings && webhook.error_date) {
    info["last_error_date"] = to_millis(*webhook.error_date) / 1000;
    info["last_error_message"] = webhook.error_message;
  }
  if (webhook.settings) info["max_connections"] = webhook.settings->max_connections;
  if (account.allowed.chosen()) {
    json::array kinds;
    for (const std::string& kind : *account.allowed.chosen()) kinds.emplace_back(kind);
    info["allowed_updates"] = std::move(kinds);
  }
  return answer_with(info);
}

constexpr std::array methods = {NamedMethod("getWebhookInfo", get_webhook_info)};

}  // namespace

std::span<const NamedMethod> webhook_info_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
