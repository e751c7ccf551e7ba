#pragma once
// A clock that runs faster than another, so that minutes of retries pass in seconds.

#include <tgkeep/clock.hpp>

namespace tgkeep::emulator {

/// Equals `clock` when made, and moves `speed` times as fast from then on. `clock` must outlive it.
class ScaledClock final : public Clock {
 public:
  ScaledClock(Clock& clock, double speed);
  MonoTime mono() const override;
  WallTime wall() const override;
  std::unique_ptr<Alarm> at(MonoTime when, std::function<void()> wake) override;

 private:
  Clock& clock_;
  double speed_;
  MonoTime start_;
  WallTime wall_start_;
};

}  // namespace tgkeep::emulator
