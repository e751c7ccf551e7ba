#pragma once
// A clock that moves only when told: tests and simulations wait hours in no time.

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <tgkeep/clock.hpp>

#include "loop/alarm_line.hpp"

namespace tgkeep::loop {

/// Starts at 2026-01-01 00:00 UTC. `mono` and `wall` may be read from any thread; the rest is for the loop's.
class VirtualClock final : public Clock {
 public:
  VirtualClock();
  MonoTime mono() const override;
  WallTime wall() const override;
  std::unique_ptr<Alarm> at(MonoTime when, std::function<void()> wake) override;

  /// Moves time; alarms that come due are called in order, each at its time.
  void advance(Duration duration);
  /// Moves to the next alarm, if there is one not after `limit`.
  bool advance_to_next(MonoTime limit = MonoTime::max());
  /// Moves wall time alone, as a stepped system clock does.
  void step_wall(std::chrono::milliseconds step) { wall_step_ += step; }
  std::size_t alarms() const noexcept { return alarms_.size(); }

 private:
  std::atomic<Duration::rep> elapsed_{0};
  std::chrono::milliseconds wall_step_{0};
  AlarmLine alarms_;
};

/// Runs everything that is ready, then moves the clock to the next alarm, and so on until nothing is ready
/// and no alarm is left before `duration` has passed. Only for loops without other threads or sockets.
void run_for(boost::asio::io_context& io, VirtualClock& clock, Duration duration);

}  // namespace tgkeep::loop
