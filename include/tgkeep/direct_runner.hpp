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
  /// One at a time, asked for one by one.
  static DirectOptions sequential();
  /// What was supplied together is handled at once; the next is started when all of it has ended or passed
  /// its timeout.
  static DirectOptions batch(std::size_t limit = 100);
  /// Up to `limit` at once.
  static DirectOptions concurrent(std::size_t limit = 500);

  std::size_t limit = 500;                      ///< handled at once, at least 1
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

  /// Updates that failed, also late ones, and those a supplier marked as unreadable. The log has them anyway.
  FailureHandler on_error;
  TimeoutHandler on_timeout;  ///< when one passes its timeout
};

/// Asks for clamp(free slots, 1, 100) updates, never while none is free. Order
/// by key as in Runner: keys are taken at arrival, and an update waits until all before it that share one
/// have ended.
/// - Outcomes other than done are failures: nothing is tried again. One that holds calls or state is a
///   failure too: they have nowhere to go.
/// - At its timeout an update is reported and cancelled, and its slot is free; its keys only when it ends.
/// - A stop cancels the supplier. Updates not yet started, and those cut off, are kept and handled after the
///   next start, `repeated` if they had been started.
/// - When the supply ends everything is handled, then it stops by itself; what ignores its timeout is not
///   waited for, nor by its keys. A `start` after that asks again.
/// - A supplier that fails is asked again after 1 s, 2 s … 30 s.
/// `clock` and `sink` must outlive it; destroy it only when stopped. Throws Failure (misuse) when there is no
/// supplier.
std::unique_ptr<Runner> make_direct_runner(asio::any_io_executor loop, Clock& clock, UpdateSupplier supplier,
                                           Sink& sink, DirectOptions options, Log log);

static_assert(!std::is_aggregate_v<DirectOptions>);

}  // namespace tgkeep
