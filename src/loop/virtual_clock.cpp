#include "loop/virtual_clock.hpp"

namespace tgkeep::loop {

namespace {
constexpr WallTime kStart{std::chrono::milliseconds(1'767'225'600'000)};
}

VirtualClock::VirtualClock() = default;

MonoTime VirtualClock::mono() const {
  return MonoTime(Duration(elapsed_.load()));
}

WallTime VirtualClock::wall() const {
  return kStart + wall_step_ +
         std::chrono::duration_cast<std::chrono::milliseconds>(Duration(elapsed_.load()));
}

std::unique_ptr<Alarm> VirtualClock::at(MonoTime when, std::function<void()> wake) {
  return alarms_.add(when, std::move(wake));
}

bool VirtualClock::advance_to_next(MonoTime limit) {
  if (alarms_.empty() || alarms_.first() > limit) return false;
  const MonoTime when = alarms_.first();
  const auto wake = alarms_.take_first();
  if (when > mono()) elapsed_ = when.time_since_epoch().count();
  wake();
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
