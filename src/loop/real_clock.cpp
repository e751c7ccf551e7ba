#include "loop/real_clock.hpp"

#include <boost/asio/steady_timer.hpp>

namespace tgkeep::loop {

namespace {

// The flag outlives the alarm: an expired timer's handler may already be queued when the alarm is destroyed.
class TimerAlarm final : public Alarm {
 public:
  TimerAlarm(const boost::asio::any_io_executor& executor, MonoTime when, std::function<void()> wake)
      : timer_(executor, when), armed_(std::make_shared<bool>(true)) {
    timer_.async_wait([armed = armed_, wake = std::move(wake)](const boost::system::error_code& error) {
      if (!error && *armed) wake();
    });
  }
  ~TimerAlarm() override { *armed_ = false; }

 private:
  boost::asio::steady_timer timer_;
  std::shared_ptr<bool> armed_;
};

}  // namespace

MonoTime RealClock::mono() const {
  return std::chrono::steady_clock::now();
}

WallTime RealClock::wall() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::unique_ptr<Alarm> RealClock::at(MonoTime when, std::function<void()> wake) {
  return std::make_unique<TimerAlarm>(executor_, when, std::move(wake));
}

}  // namespace tgkeep::loop

namespace tgkeep {

std::unique_ptr<Clock> make_real_clock(boost::asio::any_io_executor loop) {
  return std::make_unique<loop::RealClock>(std::move(loop));
}

}  // namespace tgkeep
