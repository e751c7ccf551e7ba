#include "emulator/webhook_settings.hpp"

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

using telegram::Params;
using telegram::WebhookRefusal;
using telegram::WebhookRules;
using telegram::WebhookUrl;

namespace {

constexpr std::size_t largest_certificate = 3U << 20;

}  // namespace

json::object WebhookSettings::save() const {
  json::object saved;
  saved["url"] = given_url;
  saved["secret"] = secret;
  saved["max_connections"] = max_connections;
  saved["certificate"] = json_text(certificate);
  saved["fixed_address"] = fixed_address;
  saved["address"] = address;
  return saved;
}

std::optional<WebhookSettings> WebhookSettings::load(const json::object& saved) {
  std::optional<WebhookUrl> url = WebhookUrl::parse(string_in(saved, "url"));
  if (!url) return std::nullopt;
  WebhookSettings settings(*std::move(url));
  settings.given_url = string_in(saved, "url");
  settings.secret = string_in(saved, "secret");
  settings.max_connections = static_cast<int>(number_in(saved, "max_connections", 40));
  settings.certificate = string_in(saved, "certificate");
  settings.fixed_address = string_in(saved, "fixed_address");
  settings.address = string_in(saved, "address");
  return settings;
}

boost::system::result<WebhookSettings, WebhookRefusal> read_webhook_settings(const Params& params,
                                                                             WebhookRules rules) {
  const bool cloud = rules == WebhookRules::cloud;
  const std::string* const certificate = params.file("certificate");
  if (certificate != nullptr && certificate->size() > largest_certificate) {
    return WebhookRefusal("Bad Request: certificate size is too big (" + std::to_string(certificate->size()) +
                          " bytes)");
  }
  std::optional<WebhookUrl> url = WebhookUrl::parse(params.text("url"));
  if (!url) return WebhookRefusal("Bad Request: invalid webhook URL specified");
  WebhookSettings settings(*std::move(url));
  settings.given_url = params.text("url");
  settings.secret = params.text("secret_token");
  if (auto refusal = telegram::refuse_secret(settings.secret)) return *std::move(refusal);
  settings.max_connections = telegram::webhook_max_connections(params, rules);
  if (certificate != nullptr) settings.certificate = *certificate;
  settings.fixed_address = params.text("ip_address");
  if (const auto reason = telegram::refuse_url(settings.url); cloud && reason)
    return WebhookRefusal::bad_webhook(*reason);
  if (settings.fixed_address.empty()) return settings;
  if (const auto reason = telegram::refuse_address(settings.fixed_address, cloud)) {
    return WebhookRefusal::bad_webhook(*reason);
  }
  settings.address = settings.fixed_address;
  return settings;
}

bool is_same_webhook(const WebhookSettings& settings, const Params& params, WebhookRules rules) {
  return params.text("url") == settings.given_url && settings.certificate.empty() &&
         params.file("certificate") == nullptr &&
         telegram::webhook_max_connections(params, rules) == settings.max_connections &&
         params.text("ip_address") == settings.fixed_address &&
         params.text("secret_token") == settings.secret && !params.flag("drop_pending_updates");
}

}  // namespace tgkeep::emulator
