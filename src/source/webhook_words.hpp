#pragma once
// What Telegram says about a webhook, as words for people: what is wrong and what to do. Pure.

#include <string>
#include <tgkeep/api.hpp>
#include <type_traits>

#include "source/poll_trouble.hpp"
#include "source/webhook.hpp"
#include "source/webhook_info.hpp"

namespace tgkeep::source {

class WebhookFindings {
 public:
  WebhookFindings() = default;
  bool healthy = true;
  bool points_elsewhere = false;  ///< to another URL than the registration's, or nowhere
  std::string text;               ///< "" when there is nothing to say
};

/// Compares with `registration` (null: somebody else's). Telegram's last error counts only when it is newer
/// than `proof`, the last time that an update arrived or the webhook was set.
WebhookFindings examine_webhook(const WebhookInfo& info, const WebhookRegistration* registration,
                                WallTime proof, WallTime now);

/// Why setWebhook failed and how long to wait before the next attempt.
PollTrouble read_registration_trouble(const ApiError& error, Duration slow_retry);

static_assert(!std::is_aggregate_v<WebhookFindings>);

}  // namespace tgkeep::source
