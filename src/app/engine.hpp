#pragma once
// A machine on a thread of its own, started and stopped from any.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <tgkeep/run.hpp>
#include <thread>

#include "app/machine.hpp"
#include "app/signal_watch.hpp"

namespace tgkeep {

class RunnerHandle::Engine {
 public:
  explicit Engine(std::unique_ptr<app::Machine> machine);
  /// Stops without a drain.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void start();
  void begin_stop(Duration drain);
  StopReport stop(Duration drain);
  ExitCode wait();
  std::optional<Error> failure() const;
  bool is_running() const;
  void stop_on_signals(Duration drain);
  const app::Machine& machine() const { return *machine_; }

 private:
  class Life {
   public:
    Life() = default;
    bool is_over = false;
    app::LifeEnd end;
  };
  bool runs() const { return life_ && !life_->is_over; }
  void watch_signals();
  void run(const std::shared_ptr<Life>& life);

  const std::unique_ptr<app::Machine> machine_;
  mutable std::mutex mutex_;  // all below
  std::condition_variable ended_;
  std::shared_ptr<Life> life_;  // the last one
  std::thread thread_;          // its
  std::optional<Duration> signal_drain_;
  std::unique_ptr<app::SignalWatch> signals_;  // while it lives
};

}  // namespace tgkeep
