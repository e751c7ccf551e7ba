#pragma once
// What setWebhook was told, checked as a local Bot API server checks it. Pure.

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include "face/call.hpp"
#include "face/own_webhook.hpp"
#include "telegram/webhook_url.hpp"

namespace tgkeep::face {

/// Why setWebhook is refused: the description of a 400.
class WebhookRefusal {
 public:
  WebhookRefusal() = default;
  explicit WebhookRefusal(std::string description) : description(std::move(description)) {}
  std::string description;
};

[[noreturn]] void throw_exception_from_error(const WebhookRefusal& error,
                                             const boost::source_location& where);

class WebhookWish {
 public:
  WebhookWish(OwnWebhook webhook, telegram::WebhookUrl url)
      : webhook(std::move(webhook)), url(std::move(url)) {}
  OwnWebhook webhook;  ///< but for its address
  telegram::WebhookUrl url;
};

/// A setWebhook whose url is not empty.
boost::system::result<WebhookWish, WebhookRefusal> read_webhook_wish(const Call& call);

/// Whether it leaves this webhook alone (only allowed_updates changes).
bool is_same_webhook(const OwnWebhook& webhook, const Call& call);

static_assert(!std::is_aggregate_v<WebhookRefusal> && !std::is_aggregate_v<WebhookWish>);

}  // namespace tgkeep::face
