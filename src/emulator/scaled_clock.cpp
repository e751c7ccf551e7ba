#include "emulator/scaled_clock.hpp"

#include <cmath>

namespace tgkeep::emulator {

namespace {

template <class Period>
Period scaled(Period period, double factor) {
  return Period(static_cast<typename Period::rep>(std::ceil(static_cast<double>(period.count()) * factor)));
}

}  // namespace

ScaledClock::ScaledClock(Clock& clock, double speed)
    : clock_(clock), speed_(speed), start_(clock.mono()), wall_start_(clock.wall()) {}

MonoTime ScaledClock::mono() const {
  const MonoTime now = clock_.mono();
  if (speed_ == 1) return now;
  return start_ + scaled(now - start_, speed_);
}

WallTime ScaledClock::wall() const {
  const WallTime now = clock_.wall();
  if (speed_ == 1) return now;
  return wall_start_ + scaled(now - wall_start_, speed_);
}

std::unique_ptr<Alarm> ScaledClock::at(MonoTime when, std::function<void()> wake) {
  if (speed_ == 1) return clock_.at(when, std::move(wake));
  return clock_.at(start_ + scaled(when - start_, 1 / speed_), std::move(wake));
}

}  // namespace tgkeep::emulator
