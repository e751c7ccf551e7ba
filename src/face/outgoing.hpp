#pragma once
// One bot's calls on their way to Telegram: in order per chat, with flood waits obeyed, never sent twice.

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/face_stats.hpp>
#include <tgkeep/log.hpp>
#include <type_traits>

#include "face/call.hpp"
#include "http/client.hpp"

namespace tgkeep::face {

class OutgoingOptions {
 public:
  explicit OutgoingOptions(std::string token) : token(std::move(token)) {}
  std::string token;
  std::string api_root = "https://api.telegram.org";  ///< without a slash at the end
  bool test_environment = false;
  Duration max_wait = std::chrono::seconds(30);  ///< of a call, for its turn and for flood waits; then 429
  std::size_t max_waiting = 1000;                ///< calls that wait; more: 429
  double bulk_rate = 25;                         ///< calls a second, of those marked as bulk
};

/// Everything on the loop's thread. Destroy it when no call runs.
class Outgoing {
 public:
  virtual ~Outgoing() = default;
  /// Passes the call on and gives the answer, streamed when it is large. Cancelled when the caller hung up: a
  /// call that still waits is given up.
  virtual asio::awaitable<http::ServerReply> pass(Call call) = 0;
  /// Streams a file; `path` is of kind file.
  virtual asio::awaitable<http::ServerReply> download(FacePath path, http::ServerRequest request) = 0;
  virtual OutgoingStats stats() const = 0;

 protected:
  Outgoing() = default;
  Outgoing(const Outgoing&) = delete;
  Outgoing& operator=(const Outgoing&) = delete;
};

/// `clock` and `client` must outlive it.
std::unique_ptr<Outgoing> make_outgoing(Clock& clock, http::Client& client, OutgoingOptions options, Log log);

static_assert(!std::is_aggregate_v<OutgoingOptions>);

}  // namespace tgkeep::face
