#pragma once
// The URL of a webhook and what the server says of its parts. Pure.

#include <boost/system/result.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tgkeep::telegram {

class WebhookUrl {
 public:
  /// https when no scheme is named; nothing when it is no URL: `invalid webhook URL specified`.
  static std::optional<WebhookUrl> parse(std::string_view text);

  bool secure = true;
  std::string host;  ///< without the brackets of an IPv6 address
  std::uint16_t port = 443;
  std::string text;  ///< the whole URL, with its scheme

 private:
  WebhookUrl() = default;
};

/// In the cloud: what is wrong with scheme and port, if anything is.
std::optional<std::string> refuse_url(const WebhookUrl& url);

/// What is wrong with an IP address, if anything is. `cloud` refuses the reserved ranges, too.
std::optional<std::string> refuse_address(std::string_view address, bool cloud);

static_assert(!std::is_aggregate_v<WebhookUrl>);

}  // namespace tgkeep::telegram
