#pragma once
// Deliveries that a bot fetches itself: they wait here until it asks for them, and end when it confirms them.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tgkeep/clock.hpp>
#include <tgkeep/face_stats.hpp>
#include <tgkeep/handouts.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sink.hpp>
#include <type_traits>
#include <vector>

#include "http/server.hpp"
#include "sink/settle_reply.hpp"

namespace tgkeep::sink {

class PullOptions {
 public:
  PullOptions() = default;
  /// Restarts of the bot while it had an update, until that is handed out with nothing beside it.
  std::uint32_t suspect_after = 2;
  /// Further restarts while it was alone: then dead{crashed}.
  std::uint32_t max_lone_restarts = 3;
  /// Numbers noted before their updates are handed out, at most, for a bot that takes updates fast (see
  /// `Handout::at`). 0: none.
  std::size_t ahead = 1000;
};

/// One getUpdates, as far as it concerns what is handed out.
class PullRequest {
 public:
  PullRequest() = default;
  /// As the bot says it, a shown number (rules/pull_number.hpp). 0: none, the bot has started. Never negative
  std::int64_t offset = 0;
  std::size_t limit = 100;
  Duration wait{};  ///< for the first update, at most
  /// True: the offset says only what has arrived; updates end one by one, by `settle`.
  bool settles = false;
};

class PulledUpdate {
 public:
  PulledUpdate(PullId id, std::shared_ptr<const Delivery> delivery) : id(id), delivery(std::move(delivery)) {}
  PullId id;  ///< to be shown as `shown`
  std::shared_ptr<const Delivery> delivery;
};

class PullAnswer {
 public:
  enum class End : std::uint8_t {
    updates,   ///< these, or none within `wait`
    replaced,  ///< another poller came and waits now: 409
    closed,    ///< nothing is handed out any more: a webhook was set, or tgkeep stops
    failed,    ///< the store could not note what was to be handed out; nothing was
  };
  PullAnswer() = default;
  explicit PullAnswer(End end) : end(end) {}
  End end = End::updates;
  std::vector<PulledUpdate> updates;
  bool restarted = false;  ///< the offset shows that the bot has started anew since the last pull
};

/// Everything on the loop's thread.
class PullSink : public Sink {
 public:
  /// Ends what the offset confirms, then hands out. Cancelled when the poller hung up: what it was about to
  /// get stays.
  virtual asio::awaitable<PullAnswer> pull(PullRequest request) = 0;
  /// Ends one update that is handed out: POST {"update_id":N,"action":"done"|"retry"|"dead"|"renew", …}, an
  /// array of such, or {"restarted":true}. 404 for an unknown id; the same again is answered as before.
  /// It has ended at once; the answer comes when that is written (`when_written`).
  virtual SettleReply settle(const http::ServerRequest& request) = 0;
  /// From now on deliveries up to this one end as dead{drop_pending}, those that wait here at once. They can
  /// be replayed.
  virtual void drop_until(Seq last) = 0;
  /// Hands out nothing more: pulls end, what was not handed out goes back to the queue uncounted; with `all`
  /// what was handed out, too. Confirming goes on.
  virtual void close(bool all) = 0;
  /// Takes that back.
  virtual void open() = 0;
  virtual PullStats stats() const = 0;
};

/// `clock` and `handouts` must outlive it; without `handouts` numbers start at 1 and last for this life.
std::unique_ptr<PullSink> make_pull_sink(const asio::any_io_executor& loop, Clock& clock, Handouts* handouts,
                                         PullOptions options, Log log);

static_assert(!std::is_aggregate_v<PullOptions> && !std::is_aggregate_v<PullRequest>);
static_assert(!std::is_aggregate_v<PulledUpdate> && !std::is_aggregate_v<PullAnswer>);

}  // namespace tgkeep::sink
