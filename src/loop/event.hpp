#pragma once
// A wake-up between coroutines of one loop: a timer that never expires, as condition variable.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <tgkeep/clock.hpp>

namespace tgkeep::loop {

namespace asio = boost::asio;

/// Remembers one notification: a `wait` after `notify` returns at once, and takes it. Any number may wait; a
/// notification wakes them all. All on the loop's thread. Waits throw `operation_aborted` when cancelled.
class Event {
 public:
  explicit Event(const asio::any_io_executor& executor);
  void notify();
  asio::awaitable<void> wait();
  /// Waits until notified or `until`; true when notified.
  asio::awaitable<bool> wait_until(Clock& clock, MonoTime until);

 private:
  asio::awaitable<void> pause();

  asio::steady_timer timer_;
  bool notified_ = false;
};

/// Waits until `until`; throws `operation_aborted` when cancelled.
asio::awaitable<void> sleep_until(Clock& clock, MonoTime until);
asio::awaitable<void> sleep_for(Clock& clock, Duration duration);

}  // namespace tgkeep::loop
