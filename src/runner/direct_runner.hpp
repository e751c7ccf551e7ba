#pragma once
// From a supplier straight to a sink. One coroutine takes in (direct_intake.cpp); workers, as many as are
// needed at once, hand over (direct_work.cpp).

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <list>
#include <tgkeep/direct_runner.hpp>

#include "loop/event.hpp"
#include "loop/task_group.hpp"
#include "rules/pacing.hpp"
#include "runner/direct_line.hpp"
#include "runner/worker.hpp"

namespace tgkeep::runner {

class DirectRunner final : public Runner {
 public:
  DirectRunner(const asio::any_io_executor& loop, Clock& clock, UpdateSupplier supplier, Sink& sink,
               DirectOptions options, Log log);
  ~DirectRunner() override;

  void start() override;
  asio::awaitable<StopReport> stop(Duration drain) override;
  asio::awaitable<Result<void>> wait() override;
  bool is_running() const override { return state_ == State::running; }
  std::size_t size() const override { return running_.size() + stuck_.size(); }
  std::vector<InFlight> snapshot() const override;
  RunnerStats stats() const override;
  void pause() override;
  void resume() override;
  std::vector<BusyLane> busy_lanes(std::size_t limit) const override;

 private:
  enum class State : std::uint8_t { stopped, running, stopping };

  /// How long a cancelled delivery has to end by itself, before the runner no longer waits for it.
  static constexpr Duration kCancelGrace = std::chrono::milliseconds(500);

  asio::awaitable<void> cut_off();
  static void cancel_all(std::list<Worker>& workers);
  asio::awaitable<void> dismiss_workers();

  // direct_intake.cpp
  asio::awaitable<void> take_in();
  asio::awaitable<void> wait_out(const std::exception_ptr& failure, std::uint32_t in_a_row);
  asio::awaitable<void> end_of_supply();
  asio::awaitable<void> stop_by_itself();
  std::size_t room() const;
  void tell_if_full();
  void accept(std::vector<Update> updates);
  void accept(Update update, WallTime now);
  void refuse(Update update);

  // direct_work.cpp
  void pump();
  void pump_later();
  bool may_start() const;
  bool take(Worker& worker, MonoTime now);
  void begin(Worker& worker, MonoTime now);
  void hire(MonoTime now);
  asio::awaitable<void> work(Worker& worker);
  void ended(Worker& worker, MonoTime now, const std::exception_ptr& failure, Outcome outcome);
  void conclude(std::shared_ptr<const Delivery> delivery, const std::exception_ptr& failure, Outcome outcome,
                bool late);
  void failed(const DeliveryFailure& failure);
  void set_timeout();
  void end_overdue();
  void pause_if_stuck();

  asio::any_io_executor loop_;
  Clock& clock_;
  const UpdateSupplier supplier_;
  Sink& sink_;
  const DirectOptions options_;
  const Log log_;

  State state_ = State::stopped;
  MonoTime stop_by_;  // end of the drain, while stopping
  DirectLine line_;
  rules::Pacing pacing_;
  RunnerStats stats_;
  bool paused_ = false;      // too many are stuck
  bool suspended_ = false;   // by a person
  bool full_ = false;        // as many wait as may: nothing is asked for
  std::size_t cut_off_ = 0;  // by the stop that is under way, and kept

  std::list<Worker> running_;  // in the order of their start, so also of their timeouts
  std::list<Worker> stuck_;    // past their timeout: they hold no slot
  std::list<Worker> idle_;
  std::unique_ptr<Alarm> timeout_;  // one for all that run; may be early, never late
  std::size_t turn_ = 0;            // started since others had the loop
  bool pumping_ = false;
  bool pump_is_due_ = false;

  std::vector<KeyHash> keys_;  // of one update, kept for its memory
  loop::Event room_changed_;
  loop::Event one_ended_;
  loop::Event stopped_;
  loop::TaskGroup intake_;
  loop::TaskGroup closer_;
};

}  // namespace tgkeep::runner
