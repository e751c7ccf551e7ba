#include "loop/virtual_clock.hpp"

namespace tgkeep::loop {

namespace {
constexpr WallTime kStart{std::chrono::milliseconds(1'767'225'600'000)};
}

class VirtualClock::Entry final : public Alarm {
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
  }

 private:
  std::shared_ptr<Alarms> alarms_;
  Alarms::iterator place_;
  bool fired_ = false;
};

VirtualClock::VirtualClock() : alarms_(std::make_shared<Alarms>()) {}

MonoTime VirtualClock::mono() const {
  return MonoTime(Duration(elapsed_.load()));
}

WallTime VirtualClock::wall() const {
  return kStart + wall_step_ +
         std::chrono::duration_cast<std::chrono::milliseconds>(Duration(elapsed_.load()));
}

std::unique_ptr<Alarm> VirtualClock::at(MonoTime when, std::function<void()> wake) {
  return std::make_unique<Entry>(alarms_, when, std::move(wake));
}

bool VirtualClock::advance_to_next(MonoTime limit) {
  if (alarms_->empty() || alarms_->begin()->first > limit) return false;
  auto entry = alarms_->extract(alarms_->begin());
  if (entry.key() > mono()) elapsed_ = entry.key().time_since_epoch().count();
  entry.mapped()();
  return true;
}

void VirtualClock::advance(Duration duration) {
  const MonoTime end = mono() + duration;
  while (advance_to_next(end)) {
  }
  elapsed_ = end.time_since_epoch().count();
}

void run_for(boost::asio::io_context& io, VirtualClock& clock, Duration duration) {
  const MonoTime end = clock.mono() + duration;
  for (;;) {
    io.restart();
    while (io.poll() > 0) io.restart();
    if (!clock.advance_to_next(end)) break;
  }
  clock.advance(end - clock.mono());
  io.restart();
  while (io.poll() > 0) io.restart();
}

}  // namespace tgkeep::loop
