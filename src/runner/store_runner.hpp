#pragma once
// The one loop: lease, start within the rules, settle. Four coroutines on the loop's thread share this state:
// the scan and the refill load heads (starting.cpp), the pump starts deliveries (starting.cpp), the settler
// ends them (ending.cpp). Every delivery is a coroutine of its own with its own cancellation.

#include <boost/asio/cancellation_signal.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <list>
#include <random>
#include <tgkeep/runner.hpp>

#include "loop/event.hpp"
#include "loop/task_group.hpp"
#include "rules/retry.hpp"
#include "rules/stand_still.hpp"
#include "rules/suspects.hpp"
#include "rules/target_health.hpp"
#include "runner/lineup.hpp"

namespace tgkeep::runner {

class StoreRunner final : public Runner {
 public:
  StoreRunner(const asio::any_io_executor& loop, Clock& clock, Store& store, Queue queue, Sink& sink,
              RunnerOptions options, Log log);
  ~StoreRunner() override;

  void start() override;
  asio::awaitable<StopReport> stop(Duration drain) override;
  asio::awaitable<Result<void>> wait() override;
  bool is_running() const override { return state_ == State::running; }
  std::size_t size() const override { return running_.size(); }
  std::vector<InFlight> snapshot() const override;
  RunnerStats stats() const override;
  void pause() override;
  void resume() override;
  std::vector<BusyLane> busy_lanes(std::size_t limit) const override;

 private:
  enum class State : std::uint8_t { stopped, running, stopping };

  struct Running {
    std::shared_ptr<const Delivery> delivery;
    asio::cancellation_signal cancel;
    MonoTime since;
    bool started = false;  // its coroutine has begun: before that its signal must not be used (see TaskGroup)
    bool overdue = false;  // past its timeout: has given its slot back
    bool cut_off = false;  // cancelled by a stop
    bool solo = false;     // a suspect
  };
  /// A settlement on its way to the store, and what the lineup does once it is written.
  struct Ending {
    Settlement settlement;
    MonoTime due;
    bool stays = false;    // in its lanes, to be tried again
    bool flooded = false;  // at a time that the receiver named
    std::shared_ptr<Receipt> receipt;
  };

  // starting.cpp
  asio::awaitable<void> scan();
  asio::awaitable<void> refill();
  asio::awaitable<void> pump();
  asio::awaitable<bool> end_solo_window();
  asio::awaitable<void> wait_out(const Error& error);
  std::vector<Seq> choose(Mark& mark);
  void launch(Item item, Mark mark);
  void deliver(std::shared_ptr<const Delivery> delivery, Mark mark);
  MonoTime next_look(std::optional<MonoTime> next_due) const;
  asio::awaitable<Outcome> run_delivery(Running& running);
  static void cancel(Running& running);
  std::optional<MonoTime> youngest_start() const;
  void pause_if_stuck();

  // ending.cpp
  void set_timeout();
  void end_overdue();
  void timed_out(Seq seq);
  void ended(Seq seq, const std::exception_ptr& failure, Outcome outcome);
  void tell_failure(const Running& running, const std::exception_ptr& failure, const Outcome& outcome) const;
  void judge_target(const Item& item, Outcome& outcome, bool no_answer, MonoTime mono);
  Duration conclude_failure(const Item& item, const Outcome& outcome, Ending& ending);
  std::optional<Duration> failing_for(Seq seq) const;
  void conclude(const Item& item, Outcome outcome, bool cut_off, bool survived);
  void give_back(const Item& item);
  asio::awaitable<void> settle();
  void settled(Ending ending, bool written);
  void fail(const Error& error);

  void cancel_all();
  Now now() const { return Now(clock_.mono(), clock_.wall()); }

  asio::any_io_executor loop_;
  Clock& clock_;
  Store& store_;
  Queue queue_;
  Sink& sink_;
  RunnerOptions options_;
  Log log_;
  rules::RetryPolicy retry_;
  std::mt19937_64 dice_;

  State state_ = State::stopped;
  MonoTime stop_by_;      // end of the drain, while stopping
  bool closing_ = false;  // nothing runs any more: the settler ends when it has written everything
  std::optional<Error> failure_;
  Lineup lineup_;
  rules::Suspects suspects_;
  std::optional<Seq> solo_;
  rules::TargetHealth target_;
  rules::StandStill still_;  // because of the target, or paused by a person
  std::optional<Seq> probe_;
  std::list<Running> running_;  // in the order of their start, so also of their timeouts
  boost::unordered_flat_map<Seq, std::list<Running>::iterator, std::hash<Seq>> running_by_seq_;
  std::unique_ptr<Alarm> timeout_;  // one for all that run; may be early, never late
  std::size_t active_ = 0;          // running within their timeout: they hold a slot
  bool paused_ = false;             // too many are stuck
  bool suspended_ = false;          // by a person
  std::vector<Ending> endings_;
  std::size_t left_over_ =
      0;  // endings of the last run that found no room: written before anything is leased
  RunnerStats stats_;

  loop::Event pump_wake_;
  loop::Event scan_wake_;
  loop::Event refill_wake_;
  loop::Event settle_wake_;
  loop::Event one_ended_;
  loop::Event stopped_;
  loop::TaskGroup loaders_;  // scan and refill: cancelled by a stop
  loop::TaskGroup starter_;  // the pump: ends by itself, what it has begun must be delivered or given back
  loop::TaskGroup settler_;
};

}  // namespace tgkeep::runner
