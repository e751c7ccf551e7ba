#pragma once
// The runner: leases heads from one queue of a Store, starts what the rules allow, settles what ended.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/latency.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sink.hpp>
#include <tgkeep/store.hpp>
#include <vector>

namespace tgkeep {

/// A delivery that failed, for `on_error`.
class DeliveryFailure {
 public:
  DeliveryFailure(std::shared_ptr<const Delivery> delivery, std::string error, std::exception_ptr exception,
                  bool late)
      : delivery(std::move(delivery)), error(std::move(error)), exception(std::move(exception)), late(late) {}
  std::shared_ptr<const Delivery> delivery;  ///< update and attempt
  std::string error;                         ///< what it says
  std::exception_ptr exception;              ///< what was thrown; null when the outcome said it
  bool late;                                 ///< it ended after its timeout
};

class InFlight;
/// Called on the loop's thread; must not block. What it throws is logged and changes nothing.
using FailureHandler = std::function<void(const DeliveryFailure&)>;
using TimeoutHandler = std::function<void(const InFlight&)>;

/// How a runner works. The defaults are the contract's.
class RunnerOptions {
 public:
  RunnerOptions() = default;
  std::size_t limit = 500;  ///< deliveries at once; 1: one after another
  /// Start the next ones only when all before have ended or passed their timeout.
  bool in_batches = false;
  Duration timeout = std::chrono::minutes(10);  ///< per delivery; then it is cancelled and counts as failed
  Duration first_delay = std::chrono::seconds(1);  ///< retry delay, doubling
  Duration max_delay = std::chrono::minutes(3);    ///< cap of the retry delay
  std::uint32_t max_attempts = 12;                 ///< then dead{attempts}
  Duration max_block = std::chrono::minutes(15);   ///< from the first failure; then dead{max_block}, never
                                                   ///< before the second attempt
  std::uint32_t suspect_after = 2;                 ///< crashes that make an item a suspect
  std::uint32_t max_crashes = 12;  ///< then dead{crashed}, even if it crashed outside its window
  Duration suspect_window = std::chrono::seconds(10);  ///< how long a suspect runs alone
  std::size_t max_stuck = 100;         ///< timed-out handlers that do not end: more pause delivery
  std::size_t max_heads = 100'000;     ///< heads in memory
  std::size_t max_heads_per_key = 64;  ///< of these; the rest waits in the store
  std::uint64_t seed = 0;              ///< of the retry jitter; 0 = random
  bool log_deliveries = false;         ///< a line, `delivery`, for each that ended
  /// Attempts that failed, also late ones; not what a stop cuts off, or what is postponed.
  FailureHandler on_error;
  TimeoutHandler on_timeout;  ///< deliveries that passed their timeout
};

/// One running delivery, for `snapshot`.
class InFlight {
 public:
  InFlight() = default;
  Seq seq;                    ///< in the store; without one: the number of its arrival, from 1
  UpdateId update_id;         ///< Telegram's
  std::string kind;           ///< of the update, or the method of a call
  std::string key;            ///< its primary ordering key
  std::uint32_t attempt = 0;  ///< from 1
  Duration running{};         ///< for how long already
  bool stuck = false;         ///< past its timeout and not yet ended: it keeps its key but no slot
};

/// Counters since the runner was made.
class RunnerStats {
 public:
  RunnerStats() = default;
  std::int64_t started = 0;    ///< deliveries begun
  std::int64_t done = 0;       ///< handled
  std::int64_t retried = 0;    ///< failed and due again
  std::int64_t dead = 0;       ///< dead letters; without a store: failures
  std::int64_t timed_out = 0;  ///< passed their timeout
  std::size_t heads = 0;       ///< in memory
  std::size_t running = 0;     ///< now, the stuck ones included
  std::size_t stuck = 0;       ///< past their timeout and not yet ended
  bool paused = false;         ///< too many stuck handlers
  bool target_paused = false;  ///< the target fails or can't be reached: it is being probed
  bool suspended = false;      ///< a person paused it: nothing is started until `resume`
  std::size_t flooded = 0;     ///< wait now because the receiver named a time (429, retry_after)
  LatencyHistogram waits;      ///< from receipt to the first start; replays are not counted
  LatencyHistogram handling;   ///< of attempts, failed ones and those cut off included
};

/// A lane that is at work or blocked, for people.
class BusyLane {
 public:
  BusyLane() = default;
  KeyHash key;                      ///< of its ordering key
  Seq head;                         ///< the item it waits for
  std::size_t waiting = 0;          ///< items behind it, as far as they are in memory
  std::uint32_t attempts = 0;       ///< of the head, that failed
  std::optional<Duration> running;  ///< how long its delivery has been running
  std::optional<Duration> due;      ///< else: how long until it is tried again
};

/// How a stop ended.
class StopReport {
 public:
  StopReport() = default;
  std::size_t cut_off = 0;  ///< deliveries that had not ended; they are handed over again at the next start
  std::size_t waiting = 0;  ///< without a store: updates kept in memory for the next start, besides those
};

/// Handle of one runner. Everything on the loop's thread. Restartable: after `stop` it may be started again.
class Runner {
 public:
  virtual ~Runner() = default;
  /// Starts leasing and delivering; does nothing when already running.
  virtual void start() = 0;
  /// Starts nothing more, lets what runs end for at most `drain`, then cancels the rest and releases it
  /// uncounted (P9). Safe to call before start, and again while it stops: the shorter drain counts.
  virtual asio::awaitable<StopReport> stop(Duration drain) = 0;
  /// Returns when the runner has stopped: success after `stop`, the error when the store failed.
  virtual asio::awaitable<Result<void>> wait() = 0;
  /// Between `start` and the end of `stop`.
  virtual bool is_running() const = 0;
  /// Deliveries running now.
  virtual std::size_t size() const = 0;
  /// The deliveries running now, the stuck ones included.
  virtual std::vector<InFlight> snapshot() const = 0;
  /// As of now.
  virtual RunnerStats stats() const = 0;
  /// Starts nothing more until `resume`; what runs goes on and is settled as ever. The time until `resume`
  /// counts for no item's `max_block`. May be called at any time, also before `start`; lasts over `stop` and
  /// `start`. Does nothing when paused already.
  virtual void pause() = 0;
  /// Ends a pause: what has come due meanwhile starts, in its order.
  virtual void resume() = 0;
  /// The lanes that are at work or blocked: those with most behind them, then those busy longest; at most
  /// `limit`. Looks at every head in memory: for people, not for every update.
  virtual std::vector<BusyLane> busy_lanes(std::size_t limit) const = 0;

 protected:
  Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
};

/// `clock`, `store` and `sink` must outlive the runner; destroy it only when stopped.
std::unique_ptr<Runner> make_runner(asio::any_io_executor loop, Clock& clock, Store& store, Queue queue,
                                    Sink& sink, RunnerOptions options, Log log);

static_assert(!std::is_aggregate_v<RunnerOptions> && !std::is_aggregate_v<InFlight> &&
              !std::is_aggregate_v<StopReport> && !std::is_aggregate_v<BusyLane> &&
              !std::is_aggregate_v<DeliveryFailure>);

}  // namespace tgkeep
