#include "source/poll_request.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace tgkeep::source {

namespace {

namespace json = boost::json;
using std::chrono::seconds;

// Beyond the long poll itself; the server may hold any call back for 8 s by itself.
constexpr seconds kMargin{10};
constexpr seconds kQuickCall{15};

ApiRequest reading(std::string method, const json::object& params, Duration timeout) {
  ApiRequest request(std::move(method), json::serialize(params), timeout);
  request.repeatable = true;
  return request;
}

std::string host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  const std::size_t user = url.rfind('@');
  if (user != std::string_view::npos) url.remove_prefix(user + 1);
  return std::string(url);
}

}  // namespace

ApiRequest get_updates(const LongPollOptions& options, std::optional<std::int64_t> offset, bool ask) {
  const seconds timeout = std::clamp(options.timeout, seconds(1), seconds(50));
  json::object params;
  if (offset) params["offset"] = *offset;
  params["limit"] = std::clamp(options.limit, 1, 100);
  params["timeout"] = timeout.count();
  if (ask && options.allowed_updates) {
    json::array kinds;
    for (const auto& kind : *options.allowed_updates) kinds.emplace_back(kind);
    params["allowed_updates"] = std::move(kinds);
  }
  return reading("getUpdates", params, timeout + kMargin);
}

ApiRequest confirm_updates(std::int64_t offset) {
  json::object params;
  params["offset"] = offset;
  params["limit"] = 1;
  params["timeout"] = 0;
  return reading("getUpdates", params, kQuickCall);
}

ApiRequest drop_pending_updates() {
  return ApiRequest("deleteWebhook", R"({"drop_pending_updates":true})", kQuickCall);
}

ApiRequest get_webhook_info() {
  return reading("getWebhookInfo", {}, kQuickCall);
}

std::optional<WebhookInfo> read_webhook_info(std::string_view text) {
  boost::system::error_code failure;
  const json::value value = json::parse(text, failure);
  const json::object* const object = value.if_object();
  if (failure || object == nullptr) return std::nullopt;
  const json::value* const url = object->if_contains("url");
  if (url == nullptr || !url->is_string()) return std::nullopt;
  WebhookInfo info;
  info.host = host_of(url->get_string());
  if (const json::value* const pending = object->if_contains("pending_update_count")) {
    if (pending->is_int64()) info.pending = pending->get_int64();
  }
  if (const json::value* const allowed = object->if_contains("allowed_updates")) {
    std::vector<std::string> kinds;
    if (allowed->is_array()) {
      for (const auto& kind : allowed->get_array()) {
        if (kind.is_string()) kinds.emplace_back(kind.get_string());
      }
    }
    info.allowed_updates = list_kinds(kinds);
  }
  return info;
}

std::string list_kinds(const std::vector<std::string>& kinds) {
  if (kinds.empty()) return "default";
  std::string text;
  for (const auto& kind : kinds) text += (text.empty() ? "" : ",") + kind;
  return text;
}

}  // namespace tgkeep::source
