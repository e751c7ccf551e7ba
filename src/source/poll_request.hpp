#pragma once
// The Bot API calls polling makes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <vector>

#include "source/long_poll.hpp"

namespace tgkeep::source {

/// `options.timeout` and `options.limit` are brought into the server's bounds (1-50 s, 1-100). With `ask`,
/// the call carries `options.allowed_updates`, which the server then keeps for later calls.
ApiRequest get_updates(const LongPollOptions& options, std::optional<std::int64_t> offset, bool ask);

/// Confirms everything below `offset` without waiting; what it returns is not confirmed.
ApiRequest confirm_updates(std::int64_t offset);

/// Loses every update that waits at the server, and the webhook too.
ApiRequest drop_pending_updates();

ApiRequest get_webhook_info();

/// What getWebhookInfo says about this bot.
class WebhookInfo {
 public:
  WebhookInfo() = default;
  std::string host;  ///< of the webhook's URL, without the path (it may hold a secret); "" when none is set
  std::int64_t pending = 0;
  std::string allowed_updates = "default";  ///< names with commas
};

/// Nothing when the text is not a WebhookInfo.
std::optional<WebhookInfo> read_webhook_info(std::string_view json);

/// Names with commas; "default" for an empty list, which asks for the default kinds.
std::string list_kinds(const std::vector<std::string>& kinds);

static_assert(!std::is_aggregate_v<WebhookInfo>);

}  // namespace tgkeep::source
