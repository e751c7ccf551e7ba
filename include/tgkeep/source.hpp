#pragma once
// A source receives updates from Telegram and puts them into a Store, acknowledging only what is durable
// (P1).

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/latency.hpp>
#include <tgkeep/time.hpp>
#include <vector>

namespace tgkeep {

namespace asio = boost::asio;

/// Counters and state of a source, for logs, metrics and the demo.
class SourceStats {
 public:
  SourceStats() = default;
  std::int64_t received = 0;             ///< updates read from answers, duplicates included
  std::int64_t stored = 0;               ///< of these, new ones
  std::int64_t duplicates = 0;           ///< had been stored before
  std::int64_t unreadable = 0;           ///< stored as dead letters
  std::int64_t failures = 0;             ///< answers that were not a batch: network, 4xx, 5xx, bad JSON
  bool healthy = false;                  ///< the last exchange succeeded
  std::string problem;                   ///< what is wrong and what to do, when not healthy
  std::optional<MonoTime> last_success;  ///< of an exchange
  /// Since when its first exchange is under way, while none has failed: a long poll with nothing to bring
  /// ends late, and until then nothing is wrong.
  std::optional<MonoTime> first_since;
  LatencyHistogram exchanges;  ///< polls from request to answer; webhook requests from arrival to answer
  LatencyHistogram puts;       ///< of batches, until durable
  /// Nothing is known to be wrong.
  bool fine() const noexcept { return healthy || first_since.has_value(); }
};

/// One way of receiving. Lives on the loop's thread.
class Source {
 public:
  virtual ~Source() = default;
  /// Runs until cancelled (then returns success) or until it can't go on at all (store_broken). Everything
  /// else is waited out (P10). May be run again after it ended.
  virtual asio::awaitable<Result<void>> run() = 0;
  /// As of now.
  virtual SourceStats stats() const = 0;
  /// Kinds to ask Telegram for from now on; empty: its default kinds. Takes effect soon, also while `run`
  /// waits; a source that asks Telegram for nothing ignores it. On the loop's thread.
  virtual void allow(std::vector<std::string> kinds) { static_cast<void>(kinds); }
  /// Gives up what waits at Telegram, for good; what is stored stays. One try. `misuse`: this source can't,
  /// `network`: Telegram did not do it, and the text says why. On the loop's thread.
  virtual asio::awaitable<Result<void>> drop_pending();

 protected:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
};

inline asio::awaitable<Result<void>> Source::drop_pending() {
  co_return Error(
      Errc::misuse,
      "updates can't be given up at Telegram here: this source does not tell Telegram what to do");
}

}  // namespace tgkeep
