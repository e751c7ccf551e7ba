#include "source/webhook_calls.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>

namespace tgkeep::source {

namespace {

namespace json = boost::json;

// Telegram looks the host's name up and opens a connection before it answers.
constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kLongestCertificate = 3U << 20;

Result<std::string> read_certificate(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kLongestCertificate + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  const std::string where = "the certificate to upload, " + path + ", ";
  if (text.empty())
    return Error(Errc::bad_config, where + "can't be read or is empty: check its path and rights");
  if (text.size() > kLongestCertificate)
    return Error(Errc::bad_config, where + "is longer than the 3 MiB Telegram takes");
  if (text.find("PRIVATE KEY-----") != text.npos)
    return Error(Errc::bad_config, where +
                                       "holds a private key, which must not leave this machine: give the "
                                       "certificate alone");
  if (text.find("-----BEGIN CERTIFICATE-----") == text.npos)
    return Error(Errc::bad_config, where + "holds no certificate in PEM form");
  return text;
}

}  // namespace

Result<ApiRequest> set_webhook(const WebhookRegistration& registration, const std::string& secret,
                               bool drop_pending) {
  json::object params;
  params["url"] = registration.url;
  if (!registration.ip_address.empty()) params["ip_address"] = registration.ip_address;
  params["max_connections"] = std::clamp(registration.max_connections, 1, 100);
  if (registration.allowed_updates) {
    json::array kinds;
    for (const auto& kind : *registration.allowed_updates) kinds.emplace_back(kind);
    params["allowed_updates"] = std::move(kinds);
  }
  if (drop_pending) params["drop_pending_updates"] = true;
  if (!secret.empty()) params["secret_token"] = secret;
  ApiRequest request("setWebhook", json::serialize(params), kPatience);
  if (registration.certificate_file.empty()) return request;
  Result<std::string> certificate = read_certificate(registration.certificate_file);
  if (!certificate) return certificate.error();
  request.files.emplace_back("certificate", "certificate.pem", std::move(*certificate));
  return request;
}

}  // namespace tgkeep::source
