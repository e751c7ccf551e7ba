#pragma once
// What setWebhook was told, checked as the server checks it. Pure.

#include <boost/json/fwd.hpp>
#include <boost/system/result.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>

#include "emulator/answer.hpp"
#include "emulator/params.hpp"
#include "emulator/webhook_url.hpp"

namespace tgkeep::emulator {

/// Whose rules hold: those of a server in local mode, or of api.telegram.org.
enum class WebhookRules : std::uint8_t {
  local,  ///< http, any port and address; max_connections up to 100,000, 100 by default
  cloud,  ///< https on four ports, no reserved address; max_connections up to 100, 40 by default
};

class WebhookSettings {
 public:
  explicit WebhookSettings(WebhookUrl url) : url(std::move(url)) {}
  WebhookUrl url;
  std::string given_url;
  std::string secret;
  int max_connections = 0;
  std::string certificate;    ///< PEM: the only one that is trusted; "" = the system's are
  std::string fixed_address;  ///< `ip_address`, noted only; "" = none
  std::string address;        ///< what the name resolved to

  boost::json::object save() const;
  static std::optional<WebhookSettings> load(const boost::json::object& saved);
};

/// Why setWebhook refuses, as the description of a 400.
class WebhookRefusal {
 public:
  WebhookRefusal() = default;
  explicit WebhookRefusal(std::string description) : description(std::move(description)) {}
  /// `Bad Request: bad webhook: …`
  static WebhookRefusal bad_webhook(std::string_view reason);
  std::string description;
};

int webhook_max_connections(const Params& params, WebhookRules rules);

/// Everything but what the name resolves to.
boost::system::result<WebhookSettings, WebhookRefusal> read_webhook_settings(const Params& params,
                                                                             WebhookRules rules);

/// Whether setWebhook with these parameters leaves the webhook alone (only allowed_updates changes).
bool is_same_webhook(const WebhookSettings& settings, const Params& params, WebhookRules rules);

[[noreturn]] void throw_exception_from_error(const WebhookRefusal& error,
                                             const boost::source_location& where);

static_assert(!std::is_aggregate_v<WebhookSettings> && !std::is_aggregate_v<WebhookRefusal>);

}  // namespace tgkeep::emulator
