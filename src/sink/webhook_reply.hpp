#pragma once
// A Bot API call in the body of a 2xx answer. Pure; any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/outcome.hpp>
#include <type_traits>

namespace tgkeep::sink {

/// Telegram reads no longer ones.
inline constexpr std::size_t kMaxReply = 1U << 20;

/// What a body turned out to be.
class WebhookReply {
 public:
  WebhookReply() = default;
  std::optional<Call> call;
  /// Why there is no call although the body's type promised one; empty for bodies that are just text.
  std::string ignored;
  /// `ignored` is a call that Telegram would have made: somebody should know.
  bool lost = false;
};

/// Reads a body as Telegram does: JSON or an HTML form with `method`. JSON parameters keep their bytes, a
/// form's become strings.
WebhookReply read_webhook_reply(std::string_view content_type, std::string_view body);

/// Letters, digits and `_`, at most 64: anything else would change the URL of the call.
bool is_method_name(std::string_view method) noexcept;

/// False for the methods Telegram ignores in a reply: deleteWebhook, setWebhook, close, logOut and get….
bool may_be_left(std::string_view method) noexcept;

static_assert(!std::is_aggregate_v<WebhookReply>);

}  // namespace tgkeep::sink
