#pragma once
// A runner without a store: from a supplier straight to a sink. Fast and forgetful: what is in memory at a
// crash is gone. For tests, for queues that keep their own books, and for bots that can afford it.

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/sequentialize.hpp>
#include <tgkeep/sink.hpp>
#include <tgkeep/supplier.hpp>
#include <type_traits>

namespace tgkeep {

/// How a runner without a store works.
class DirectOptions {
 public:
  DirectOptions() = default;
  /// One at a time.
  static DirectOptions sequential();
  /// What was supplied together is handled at once; the next is started when all of it has ended.
  static DirectOptions batch(std::size_t limit = 100);
  /// Up to `limit` at once.
  static DirectOptions concurrent(std::size_t limit = 500);

  std::size_t limit = 500;                      ///< handled at once
  bool in_batches = false;                      ///< see `batch`
  Duration timeout = std::chrono::minutes(10);  ///< of each; then it is cancelled and its slot is free
  std::size_t max_stuck = 100;                  ///< timed-out ones that do not end: more pause the runner
  /// Updates in memory that wait for their key: with more, nothing is asked for. They hold no slot.
  std::size_t max_waiting = 10'000;
  Sequentialize sequentialize;  ///< absent: the default keys
  bool ordered = true;          ///< false: no keys at all, whatever `sequentialize` says

  /// Adaptive pacing: 0 asks the supplier as soon as there is room (speed), 1 lets updates gather first, the
  /// longer the fewer there are (less traffic).
  double speed_traffic_balance = 0;
  Duration max_pace = std::chrono::milliseconds(500);  ///< the longest such wait

  FailureHandler on_error;    ///< failures of the sink, also late ones; the log has them anyway
  TimeoutHandler on_timeout;  ///< when one passes its timeout
};

/// Asks for clamp(free slots, 1, 100) updates, never while none is free. Order by key as in Runner: keys are
/// taken at arrival, and an update waits until all before it that share one have ended. A stop cancels the
/// supplier; updates not yet started, and those cut off, are kept and handled after the next start.
/// `clock` and `sink` must outlive it; destroy it only when stopped. Outcomes other than done are failures:
/// nothing is tried again. Calls and state that an outcome holds have nowhere to go: also a failure.
std::unique_ptr<Runner> make_direct_runner(asio::any_io_executor loop, Clock& clock, UpdateSupplier supplier,
                                           Sink& sink, DirectOptions options, Log log);

static_assert(!std::is_aggregate_v<DirectOptions>);

}  // namespace tgkeep
