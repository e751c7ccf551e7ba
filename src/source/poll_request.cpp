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

}  // namespace

ApiRequest get_updates(const LongPollOptions& options, int limit, std::optional<std::int64_t> offset,
                       bool ask) {
  const seconds timeout = std::clamp(options.timeout, seconds(1), seconds(50));
  json::object params;
  if (offset) params["offset"] = *offset;
  params["limit"] = std::clamp(limit, 1, 100);
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

ApiRequest delete_webhook(bool drop_pending) {
  const std::string params = drop_pending ? R"({"drop_pending_updates":true})" : "{}";
  return ApiRequest("deleteWebhook", params, kQuickCall);
}

}  // namespace tgkeep::source
