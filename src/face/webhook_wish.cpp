#include "face/webhook_wish.hpp"

#include <optional>

namespace tgkeep::face {

using telegram::WebhookRefusal;

namespace {

constexpr const char* kCertificate =
    "Bad Request: bad webhook: tgkeep takes no certificate from the bot. Give an http:// URL on this machine "
    "or a "
    "private network, or a certificate that this machine trusts (put your CA into the system's store)";
constexpr const char* kFixedAddress =
    "Bad Request: bad webhook: tgkeep resolves the host of the URL itself. Leave ip_address out, or put the "
    "address into the URL or into /etc/hosts of tgkeep's machine";

bool has_certificate(const Call& call) {
  // A file that is too large to be held can be nothing else.
  return !call.whole || call.params.file("certificate") != nullptr ||
         !call.params.text("certificate").empty();
}

std::uint32_t max_connections(const telegram::Params& params) {
  return static_cast<std::uint32_t>(telegram::webhook_max_connections(params, telegram::WebhookRules::local));
}

std::string place_of(const telegram::WebhookUrl& url) {
  const bool bracketed = url.host.find(':') != std::string::npos;
  const std::string host = bracketed ? "[" + url.host + "]" : url.host;
  return host + ":" + std::to_string(url.port);
}

}  // namespace

boost::system::result<WebhookWish, WebhookRefusal> read_webhook_wish(const Call& call) {
  const telegram::Params& params = call.params;
  if (has_certificate(call)) return WebhookRefusal(kCertificate);
  std::optional<telegram::WebhookUrl> url = telegram::WebhookUrl::parse(params.text("url"));
  if (!url) return WebhookRefusal("Bad Request: invalid webhook URL specified");
  OwnWebhook webhook{std::string(params.text("url"))};
  webhook.target = url->text;
  webhook.place = place_of(*url);
  webhook.secret = params.text("secret_token");
  if (auto refusal = telegram::refuse_secret(webhook.secret)) return *std::move(refusal);
  webhook.max_connections = max_connections(params);
  const std::string_view fixed = params.text("ip_address");
  if (!fixed.empty()) {
    const auto reason = telegram::refuse_address(fixed, false);
    if (reason) return WebhookRefusal::bad_webhook(*reason);
    if (fixed != url->host) return WebhookRefusal(kFixedAddress);
  }
  return WebhookWish(std::move(webhook), *std::move(url));
}

bool is_same_webhook(const OwnWebhook& webhook, const Call& call) {
  const telegram::Params& params = call.params;
  return params.text("url") == webhook.url && !has_certificate(call) &&
         max_connections(params) == webhook.max_connections && params.text("ip_address").empty() &&
         params.text("secret_token") == webhook.secret && !params.flag("drop_pending_updates");
}

}  // namespace tgkeep::face
