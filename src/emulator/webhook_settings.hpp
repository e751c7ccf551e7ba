#pragma once
// What setWebhook was told, checked as the server checks it. Pure.

#include <boost/json/fwd.hpp>
#include <boost/system/result.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>

#include "emulator/answer.hpp"
#include "telegram/webhook_rules.hpp"
#include "telegram/webhook_url.hpp"

namespace tgkeep::emulator {

class WebhookSettings {
 public:
  explicit WebhookSettings(telegram::WebhookUrl url) : url(std::move(url)) {}
  telegram::WebhookUrl url;
  std::string given_url;
  std::string secret;
  int max_connections = 0;
  std::string certificate;    ///< PEM: the only one that is trusted; "" = the system's are
  std::string fixed_address;  ///< `ip_address`, noted only; "" = none
  std::string address;        ///< what the name resolved to

  boost::json::object save() const;
  static std::optional<WebhookSettings> load(const boost::json::object& saved);
};

/// Everything but what the name resolves to.
boost::system::result<WebhookSettings, telegram::WebhookRefusal> read_webhook_settings(
    const telegram::Params& params, telegram::WebhookRules rules);

/// Whether setWebhook with these parameters leaves the webhook alone (only allowed_updates changes).
bool is_same_webhook(const WebhookSettings& settings, const telegram::Params& params,
                     telegram::WebhookRules rules);

static_assert(!std::is_aggregate_v<WebhookSettings>);

}  // namespace tgkeep::emulator
