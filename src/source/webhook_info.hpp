#pragma once
// What getWebhookInfo says about a bot.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::source {

ApiRequest get_webhook_info();

class WebhookInfo {
 public:
  WebhookInfo() = default;
  std::string url;   ///< may hold a secret: for comparing only; "" when no webhook is set
  std::string host;  ///< of `url`, for people
  bool has_custom_certificate = false;
  std::int64_t pending = 0;
  std::int64_t max_connections = 0;  ///< 0: not said
  std::string ip_address;
  std::optional<WallTime> last_error_at;  ///< later successes do not clear it
  std::string last_error;
  std::string allowed_updates = "default";  ///< names with commas
};

/// Nothing when the text is not a WebhookInfo.
std::optional<WebhookInfo> read_webhook_info(std::string_view json);

/// Host and port of a URL: without the path, which may hold a secret.
std::string host_of(std::string_view url);

/// Names with commas; "default" for an empty list, which asks for the default kinds.
std::string list_kinds(const std::vector<std::string>& kinds);

static_assert(!std::is_aggregate_v<WebhookInfo>);

}  // namespace tgkeep::source
