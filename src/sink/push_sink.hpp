#pragma once
// Deliveries by HTTP push: the request Telegram would send, to a bot in any language.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sink.hpp>
#include <type_traits>

#include "http/client.hpp"
#include "http/server.hpp"

namespace tgkeep::sink {

/// What a status outside 2xx, 429 and 503 means.
enum class StatusRule : std::uint8_t { retry, dead, done };

class PushOptions {
 public:
  explicit PushOptions(std::string url) : url(std::move(url)) {}
  std::string url;
  std::string secret;                           ///< as X-Telegram-Bot-Api-Secret-Token; "" = no such header
  std::size_t concurrency = 40;                 ///< open requests at once, as Telegram's default
  Duration timeout = std::chrono::seconds(60);  ///< of one request; hours are allowed
  /// Exact statuses first, then classes (4 for 4xx). By default everything is retried.
  std::map<int, StatusRule> rules;
  /// A 2xx answer that is a Bot API call ({"method": …}) goes to the outbox with the settlement.
  bool webhook_reply = true;
  /// Opt-in: a 202 answer means "accepted": the delivery stays open and is settled later at its settle URL
  /// (header Tgkeep-Settle-Url of the request, which holds a token). Without a renewal the lease ends: it
  /// comes again.
  bool accept_202 = false;
  Duration lease = std::chrono::minutes(5);
  std::string
      settle_url;  ///< prefix of settle URLs, as the bot reaches them, e.g. http://127.0.0.1:8480/settle/
};

/// Headers of a push: Content-Type, the secret, Tgkeep-Update-Id, -Attempt, -Epoch, -Request and, where they
/// apply, -Ordering-Key, -Run, -Repeated, -Late, -Order-Gap, -Settle-Url (docs/push.md).
class PushSink : public Sink {
 public:
  /// Answers a request to a settle URL: POST {"action":"done"|"retry"|"dead"|"renew", …}. 200 when it is
  /// written, 404 for an unknown token.
  virtual asio::awaitable<http::ServerReply> settle(http::ServerRequest request) = 0;
};

/// `client` must outlive it.
std::unique_ptr<PushSink> make_push_sink(Clock& clock, http::Client& client, PushOptions options, Log log);

static_assert(!std::is_aggregate_v<PushOptions>);

}  // namespace tgkeep::sink
