#include "emulator/steerable_clock.hpp"

#include <algorithm>

namespace tgkeep::emulator {

namespace {

constexpr Duration short_wait = std::chrono::milliseconds(10);

MonoTime real_now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

SteerableClock::SteerableClock(const boost::asio::any_io_executor& loop, Pace pace)
    : pace_(pace),
      start_(real_now()),
      wall_start_(std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now())),
      timer_(loop) {}

SteerableClock::~SteerableClock() = default;

MonoTime SteerableClock::mono() const {
  const MonoTime base = pace_ == Pace::real ? real_now() : start_;
  return base + Duration(moved_.load());
}

WallTime SteerableClock::wall() const {
  return wall_start_ + wall_step_ + std::chrono::duration_cast<std::chrono::milliseconds>(mono() - start_);
}

std::unique_ptr<Alarm> SteerableClock::at(MonoTime when, std::function<void()> wake) {
  auto alarm = alarms_.add(when, std::move(wake));
  if (alarms_.first() == when) arm();
  return alarm;
}

void SteerableClock::advance(Duration duration) {
  const MonoTime end = mono() + duration;
  while (!alarms_.empty() && alarms_.first() <= end) {
    const MonoTime next = alarms_.first();
    if (next > mono()) moved_ += (next - mono()).count();
    call_next(next);
  }
  if (end > mono()) moved_ += (end - mono()).count();
  arm();
}

bool SteerableClock::call_next(MonoTime limit) {
  if (alarms_.empty() || alarms_.first() > limit) return false;
  const auto wake = alarms_.take_first();
  wake();
  return true;
}

void SteerableClock::arm() {
  if (alarms_.empty()) return;
  const Duration left = alarms_.first() - mono();
  if (pace_ == Pace::still && left > short_wait) return;
  timer_.expires_after(std::max(left, Duration::zero()));
  timer_.async_wait([this, alive = std::weak_ptr<int>(alive_)](const boost::system::error_code& error) {
    if (!error && alive.lock()) expired();
  });
}

void SteerableClock::expired() {
  const MonoTime limit = mono() + (pace_ == Pace::still ? short_wait : Duration::zero());
  while (call_next(limit)) {
  }
  arm();
}

}  // namespace tgkeep::emulator
