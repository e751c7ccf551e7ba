#include "source/webhook_info.hpp"

#include <boost/json.hpp>

#include "words/joined.hpp"

namespace tgkeep::source {

namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kQuickCall{15};

std::string text_in(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return std::string(value->get_string());
}

std::int64_t number_in(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  if (value == nullptr || !value->is_int64()) return 0;
  return value->get_int64();
}

std::string kinds_in(const json::array& array) {
  std::vector<std::string> kinds;
  for (const auto& kind : array) {
    if (kind.is_string()) kinds.emplace_back(kind.get_string());
  }
  return list_kinds(kinds);
}

}  // namespace

ApiRequest get_webhook_info() {
  ApiRequest request("getWebhookInfo", "{}", kQuickCall);
  request.repeatable = true;
  return request;
}

std::optional<WebhookInfo> read_webhook_info(std::string_view text) {
  boost::system::error_code failure;
  const json::value value = json::parse(text, failure);
  const json::object* const object = value.if_object();
  if (failure || object == nullptr) return std::nullopt;
  const json::value* const url = object->if_contains("url");
  if (url == nullptr || !url->is_string()) return std::nullopt;
  WebhookInfo info;
  info.url = std::string(url->get_string());
  info.host = host_of(info.url);
  const json::value* const custom = object->if_contains("has_custom_certificate");
  info.has_custom_certificate = custom != nullptr && custom->is_bool() && custom->get_bool();
  info.pending = number_in(*object, "pending_update_count");
  info.max_connections = number_in(*object, "max_connections");
  info.ip_address = text_in(*object, "ip_address");
  info.last_error = text_in(*object, "last_error_message");
  const std::int64_t failed = number_in(*object, "last_error_date");
  // Within what a WallTime holds.
  if (failed > 0 && failed < std::int64_t{1} << 40) info.last_error_at = from_millis(failed * 1000);
  const json::value* const allowed = object->if_contains("allowed_updates");
  if (allowed != nullptr && allowed->is_array()) info.allowed_updates = kinds_in(allowed->get_array());
  return info;
}

std::string host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  const std::size_t user = url.rfind('@');
  if (user != std::string_view::npos) url.remove_prefix(user + 1);
  return std::string(url);
}

std::string list_kinds(const std::vector<std::string>& kinds) {
  if (kinds.empty()) return "default";
  return words::joined(kinds, ",");
}

}  // namespace tgkeep::source
