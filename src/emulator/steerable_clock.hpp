#pragma once
// The emulator's clock as a product: it runs or stands still, and can be moved.

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <tgkeep/clock.hpp>

#include "loop/alarm_line.hpp"

namespace tgkeep::emulator {

class SteerableClock final : public Clock {
 public:
  enum class Pace : std::uint8_t {
    real,   ///< runs as the machine's clock does
    still,  ///< moves only when told; waits of up to 10 ms end by themselves, without moving it
  };
  SteerableClock(const boost::asio::any_io_executor& loop, Pace pace);
  ~SteerableClock() override;

  MonoTime mono() const override;
  WallTime wall() const override;
  std::unique_ptr<Alarm> at(MonoTime when, std::function<void()> wake) override;

  /// Moves both clocks; alarms that come due are called in order, each at its time.
  void advance(Duration duration);
  /// Moves wall time alone, as a stepped system clock does.
  void step_wall(std::chrono::milliseconds step) { wall_step_ += step; }
  Pace pace() const noexcept { return pace_; }

 private:
  bool call_next(MonoTime limit);
  void arm();
  void expired();

  const Pace pace_;
  const MonoTime start_;
  const WallTime wall_start_;
  std::atomic<Duration::rep> moved_{0};
  std::chrono::milliseconds wall_step_{0};
  boost::asio::steady_timer timer_;  // for the first alarm
  // A timer that nobody waits for would keep the loop from ending.
  loop::AlarmLine alarms_{[this] { timer_.cancel(); }};
  std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace tgkeep::emulator
