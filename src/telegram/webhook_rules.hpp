#pragma once
// What a Bot API server accepts as parameters of setWebhook, beside the URL. Pure.

#include <boost/assert/source_location.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "telegram/request_params.hpp"

namespace tgkeep::telegram {

/// Whose rules hold: those of a server in local mode, or of api.telegram.org.
enum class WebhookRules : std::uint8_t {
  local,  ///< http, any port and address; max_connections up to 100,000, 100 by default
  cloud,  ///< https on four ports, no reserved address; max_connections up to 100, 40 by default
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

/// What is wrong with a secret_token, if anything is.
std::optional<WebhookRefusal> refuse_secret(std::string_view secret);

int webhook_max_connections(const Params& params, WebhookRules rules);

[[noreturn]] void throw_exception_from_error(const WebhookRefusal& error,
                                             const boost::source_location& where);

static_assert(!std::is_aggregate_v<WebhookRefusal>);

}  // namespace tgkeep::telegram
