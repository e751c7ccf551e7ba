#pragma once
// One try of a call at Telegram, and what became of it.

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <tgkeep/clock.hpp>
#include <type_traits>

#include "http/client.hpp"
#include "http/server.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

class Attempt {
 public:
  enum class Outcome : std::uint8_t {
    passed,      ///< `reply` is Telegram's, streamed when it is large
    refused,     ///< surely without effect; `reply` is Telegram's
    flooded,     ///< 429: refused, and `retry_after` says until when
    not_sent,    ///< nothing left the house
    maybe_sent,  ///< nobody knows
  };
  Attempt() = default;
  Outcome outcome = Outcome::not_sent;
  http::ServerReply reply;
  int code = 0;             ///< of a refusal; of maybe_sent what to answer with
  std::string description;  ///< Telegram's words of a refusal, or why it is not known; no token
  std::chrono::seconds retry_after{1};
};

/// Sends the request and reads the answer: all of it when it has at most 64 KiB.
asio::awaitable<Attempt> try_once(Clock& clock, http::Client& client, http::ClientRequest request);

/// What is to come of an answer that has been read in part.
http::ReplyStream stream_of(std::string beginning, std::shared_ptr<http::AnswerStream> rest);

/// The first pieces of an answer, up to its end or to somewhat more than this.
inline constexpr std::size_t kSmallAnswer = 64U << 10;

static_assert(!std::is_aggregate_v<Attempt>);

}  // namespace tgkeep::face
