#pragma once
// A running bot in one call, and its handle: for programs that do something besides.

#include <cstddef>
#include <memory>
#include <optional>
#include <tgkeep/direct_runner.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/supplier.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

/// Something that runs on a thread of its own. All functions may be called from any thread, but `stop` and
/// `wait` not from its handlers, and with a store `stats` not from its callbacks (`on_error`, `on_timeout`,
/// `sequentialize`): they would wait for themselves. Movable.
class RunnerHandle {
 public:
  class Engine;
  /// For `run`.
  explicit RunnerHandle(std::unique_ptr<Engine> engine);
  /// What was moved from may only be destroyed or assigned to.
  RunnerHandle(RunnerHandle&&) noexcept;
  /// Stops what it had, as the destructor does.
  RunnerHandle& operator=(RunnerHandle&&) noexcept;
  /// Stops, if it still runs, with no time to drain.
  ~RunnerHandle();

  /// Starts again after a stop; does nothing when it runs. With a store it opens the store again.
  void start();
  /// Receives nothing more, lets what runs end for at most `drain`, then cuts it off (P9), and returns when
  /// all is over. With a store everything unfinished is handed over at the next start. Several may stop it:
  /// the shortest drain counts. A handler that blocks its thread is waited for, whatever the drain (with a
  /// store), or goes on beside the next start (without one).
  StopReport stop(Duration drain = std::chrono::seconds(30));
  /// Begins the same and returns at once: also for handlers.
  void begin_stop(Duration drain = std::chrono::seconds(30));
  /// Returns when it is over: by `stop`, a signal, the end of the supply, or a failure.
  ExitCode wait();
  /// Why the last run failed, if it did.
  std::optional<Error> failure() const;
  /// From `start` until everything has ended.
  bool is_running() const;
  /// Updates being handled now.
  std::size_t size() const;
  /// The updates being handled now.
  std::vector<InFlight> snapshot() const;
  /// With a store since the last start, else since `run`.
  RunnerStats stats() const;
  /// SIGINT and SIGTERM stop it with `drain`; a second one ends the process at once. One handle of a process.
  RunnerHandle& stop_on_signals(Duration drain = std::chrono::seconds(30));

 private:
  std::unique_ptr<Engine> engine_;
};

/// How `run` without a store works.
class RunOptions : public DirectOptions {
 public:
  RunOptions() = default;
  explicit RunOptions(DirectOptions options) : DirectOptions(std::move(options)) {}
  /// Threads consumers run on: 0 = max(4, 2 × cores).
  std::size_t threads = 0;
  /// Consumers run on the loop's own thread, between the supplier's steps: for consumers that never block.
  bool on_loop = false;
  Log log = stderr_log();  ///< of the runner
};

/// Starts a pipeline with no network and no store: supplier → consumer. What is in memory when the process
/// ends is lost.
[[nodiscard]] RunnerHandle run(UpdateSupplier supplier, UpdateConsumer consumer,
                               RunOptions options = RunOptions());

/// Starts a bot on its durable inbox: polling, or a webhook when `options.webhook` says so. `options.signals`
/// is not used: see `stop_on_signals`. It returns at once: what keeps it from starting is in `failure()`.
[[nodiscard]] RunnerHandle run(GatewayOptions options, Handler handler);

static_assert(!std::is_aggregate_v<RunnerHandle> && !std::is_aggregate_v<RunOptions>);

}  // namespace tgkeep
