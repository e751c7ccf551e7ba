#include "source/webhook_words.hpp"

#include <array>
#include <utility>

namespace tgkeep::source {

namespace {

using std::chrono::seconds;

// Fewer are a busy moment.
constexpr std::int64_t kManyPending = 1000;

using Remedy = std::pair<std::string_view, std::string_view>;

std::string_view find_remedy(const auto& remedies, std::string_view text, std::string_view otherwise) {
  for (const auto& [part, remedy] : remedies) {
    if (text.find(part) != text.npos) return remedy;
  }
  return otherwise;
}

// Parts of last_error_message.
constexpr std::array kDeliveryRemedies{
    Remedy(
        "response from the webhook: 401",
        "the secret Telegram sends is none of the webhook's secrets: register it again, or list the old one "
        "as a further secret"),
    Remedy("response from the webhook: 403",
           "the sender's address was refused: list the proxy in front in trusted_proxies, and check its "
           "address header"),
    Remedy("response from the webhook: 404",
           "the path that reaches tgkeep is not the webhook's: check what the proxy in front does to it"),
    Remedy("response from the webhook: 405", "the proxy in front changes the method: it must pass POST on"),
    Remedy("response from the webhook: 413", "the proxy in front limits bodies: allow 1 MiB"),
    Remedy("response from the webhook: 502",
           "the proxy in front does not reach tgkeep: check its address and port"),
    Remedy("response from the webhook: 503", "tgkeep was stopping or could not store: see its log"),
    Remedy("response from the webhook: 504",
           "the proxy in front does not reach tgkeep: check its address and port"),
    Remedy("response from the webhook: 3", "redirects are not followed: register the final URL"),
    Remedy("ertificate",
           "Telegram does not trust the certificate: serve the full chain, or upload a self-signed one"),
    Remedy("SSL", "the TLS handshake fails: check that the port speaks TLS 1.2 or newer with a full chain"),
    Remedy("resolve", "the host's name can't be resolved: check its A record (IPv4)"),
    Remedy("refused",
           "nothing listens at the URL's address and port: check the proxy, the port and the firewall"),
    Remedy("timed out", "the address does not answer: check DNS and the firewall"),
    Remedy("timeout",
           "the answer took longer than 60 s, or did not reach Telegram: check what stands in front"),
    Remedy("reset", "something cuts the connections: check what stands in front"),
};

// Parts of the description of a 400 from setWebhook.
constexpr std::array kRegistrationRemedies{
    Remedy("HTTPS URL", "give an https:// URL"),
    Remedy("ports 80", "use port 443, 80, 88 or 8443 in the URL"),
    Remedy("IPv6", "give the host an IPv4 address"),
    Remedy("is reserved", "the host's address is a private one: Telegram needs a public address"),
    Remedy("Invalid IP address", "correct ip_address"),
    Remedy("resolve host",
           "check the host's name and its A record; Telegram remembers a failure for 5 minutes"),
    Remedy("URL specified", "correct the URL"),
    Remedy("secret token", "use 1-256 of the letters A-Z, a-z, 0-9, _ and - as secret"),
    Remedy("certificate", "upload the certificate (PEM) alone, at most 3 MiB"),
};

std::string quote(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string place_of(const WebhookInfo& info, const WebhookRegistration& registration) {
  if (info.host == host_of(registration.url)) return "another path of " + info.host;
  return info.host;
}

void add(std::string& text, const std::string& sentence) {
  text += (text.empty() ? "" : "; also: ") + sentence;
}

void compare(const WebhookInfo& info, const WebhookRegistration* registration, WebhookFindings& found) {
  if (info.url.empty()) {
    found.points_elsewhere = true;
    add(found.text,
        registration == nullptr
            ? "no webhook is set at Telegram, so no updates come: call setWebhook, or let tgkeep do it"
            : "somebody has deleted the webhook; tgkeep sets it again: find out what else uses the token");
    return;
  }
  if (registration == nullptr) return;
  if (info.url != registration->url) {
    found.points_elsewhere = true;
    add(found.text, "Telegram delivers to " + place_of(info, *registration) +
                        " instead; tgkeep sets its webhook again: find out what else uses the token");
    return;
  }
  const bool uploaded = !registration->certificate_file.empty();
  if (info.has_custom_certificate != uploaded) {
    add(found.text, uploaded
                        ? "Telegram does not have the uploaded certificate: start tgkeep again to upload it"
                        : "Telegram trusts only a certificate that was uploaded by somebody else: start "
                          "tgkeep again to remove it");
  }
  if (!registration->ip_address.empty() && info.ip_address != registration->ip_address) {
    add(found.text, "Telegram delivers to " + info.ip_address + " instead of " + registration->ip_address +
                        ": start tgkeep again to set the address");
  }
}

}  // namespace

WebhookFindings examine_webhook(const WebhookInfo& info, const WebhookRegistration* registration,
                                WallTime proof, WallTime now) {
  WebhookFindings found;
  compare(info, registration, found);
  const bool failing = !info.url.empty() && info.last_error_at && *info.last_error_at > proof;
  if (failing) {
    const auto ago = std::chrono::duration_cast<seconds>(now - *info.last_error_at).count();
    add(found.text, "Telegram could not deliver " + std::to_string(std::max<std::int64_t>(0, ago)) +
                        " s ago (" + quote(info.last_error) + "): " +
                        std::string(find_remedy(kDeliveryRemedies, info.last_error,
                                                "see what it says, and check what stands in front")));
  }
  if (info.pending >= kManyPending) {
    add(found.text, std::to_string(info.pending) + " updates wait at Telegram: see whether it falls");
  }
  found.healthy = !failing && !found.points_elsewhere;
  return found;
}

PollTrouble read_registration_trouble(const ApiError& error, Duration slow_retry) {
  if (error.kind == ApiError::Kind::refused && error.code == 400) {
    return PollTrouble(
        "bad_webhook",
        "Telegram does not take the webhook (" + quote(error.description) +
            "): " + std::string(find_remedy(kRegistrationRemedies, error.description, "see what it says")),
        slow_retry);
  }
  if (error.kind == ApiError::Kind::refused && error.code == 409) {
    return PollTrouble("other_registrar", "another program sets this bot's webhook at the same time (" +
                                              quote(error.description) + "): stop it");
  }
  return read_trouble(error, slow_retry);
}

}  // namespace tgkeep::source
