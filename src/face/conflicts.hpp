#pragma once
// 409 answers, paced as the server paces them.

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string_view>
#include <tgkeep/clock.hpp>

#include "http/server.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

inline constexpr std::string_view kReplacedText =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
inline constexpr std::string_view kWebhookActiveText =
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook "
    "first";
inline constexpr std::string_view kWebhookSetText = "Conflict: terminated by setWebhook request";
inline constexpr std::string_view kOtherWebhookText = "Conflict: terminated by other setWebhook";

/// `clock` must outlive it.
class Conflicts {
 public:
  explicit Conflicts(Clock& clock) : clock_(clock) {}
  /// At once when none was given in the last 3 s, else 3 s later.
  asio::awaitable<http::ServerReply> refuse(std::string_view text);

 private:
  Clock& clock_;
  std::optional<MonoTime> next_;
};

}  // namespace tgkeep::face
