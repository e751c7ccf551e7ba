#pragma once
// What setWebhook was told, checked as a local Bot API server checks it. Pure.

#include <boost/system/result.hpp>
#include <type_traits>

#include "face/call.hpp"
#include "face/own_webhook.hpp"
#include "telegram/webhook_rules.hpp"
#include "telegram/webhook_url.hpp"

namespace tgkeep::face {

class WebhookWish {
 public:
  WebhookWish(OwnWebhook webhook, telegram::WebhookUrl url)
      : webhook(std::move(webhook)), url(std::move(url)) {}
  OwnWebhook webhook;  ///< but for its address
  telegram::WebhookUrl url;
};

/// A setWebhook whose url is not empty.
boost::system::result<WebhookWish, telegram::WebhookRefusal> read_webhook_wish(const Call& call);

/// Whether it leaves this webhook alone (only allowed_updates changes).
bool is_same_webhook(const OwnWebhook& webhook, const Call& call);

static_assert(!std::is_aggregate_v<WebhookWish>);

}  // namespace tgkeep::face
