#include "emulator/steerable_clock.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <map>

namespace tgkeep::emulator {

namespace {

constexpr Duration short_wait = std::chrono::milliseconds(10);

MonoTime real_now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

class SteerableClock::Alarms : public std::multimap<MonoTime, std::function<void()>> {
 public:
  explicit Alarms(const boost::asio::any_io_executor& loop) : timer(loop) {}
  boost::asio::steady_timer timer;  ///< for the first of them
};

class SteerableClock::Entry final : public Alarm {
 public:
  Entry(std::shared_ptr<Alarms> alarms, MonoTime when, std::function<void()> wake)
      : alarms_(std::move(alarms)) {
    place_ = alarms_->emplace(when, [this, wake = std::move(wake)] {
      fired_ = true;
      wake();
    });
  }
  ~Entry() override {
    if (!fired_) alarms_->erase(place_);
    // A timer that nobody waits for would keep the loop from ending.
    if (alarms_->empty()) alarms_->timer.cancel();
  }

 private:
  std::shared_ptr<Alarms> alarms_;
  Alarms::iterator place_;
  bool fired_ = false;
};

SteerableClock::SteerableClock(const boost::asio::any_io_executor& loop, Pace pace)
    : pace_(pace),
      start_(real_now()),
      wall_start_(std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now())),
      alarms_(std::make_shared<Alarms>(loop)) {}

SteerableClock::~SteerableClock() = default;

MonoTime SteerableClock::mono() const {
  const MonoTime base = pace_ == Pace::real ? real_now() : start_;
  return base + Duration(moved_.load());
}

WallTime SteerableClock::wall() const {
  return wall_start_ + wall_step_ + std::chrono::duration_cast<std::chrono::milliseconds>(mono() - start_);
}

std::unique_ptr<Alarm> SteerableClock::at(MonoTime when, std::function<void()> wake) {
  auto entry = std::make_unique<Entry>(alarms_, when, std::move(wake));
  if (alarms_->begin()->first == when) arm();
  return entry;
}

void SteerableClock::advance(Duration duration) {
  const MonoTime end = mono() + duration;
  while (!alarms_->empty() && alarms_->begin()->first <= end) {
    const MonoTime next = alarms_->begin()->first;
    if (next > mono()) moved_ += (next - mono()).count();
    call_next(next);
  }
  if (end > mono()) moved_ += (end - mono()).count();
  arm();
}

bool SteerableClock::call_next(MonoTime limit) {
  if (alarms_->empty() || alarms_->begin()->first > limit) return false;
  auto alarm = alarms_->extract(alarms_->begin());
  alarm.mapped()();
  return true;
}

void SteerableClock::arm() {
  if (alarms_->empty()) return;
  const Duration left = alarms_->begin()->first - mono();
  if (pace_ == Pace::still && left > short_wait) return;
  alarms_->timer.expires_after(std::max(left, Duration::zero()));
  alarms_->timer.async_wait(
      [this, alive = std::weak_ptr<int>(alive_)](const boost::system::error_code& error) {
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
