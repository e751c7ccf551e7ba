#pragma once
// The clock port. Everything that waits does so through it, so that tests and simulations run in virtual
// time.

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <tgkeep/time.hpp>

namespace tgkeep {

/// A pending call of `Clock::at`. Destroying it cancels the call; the call never happens after that.
/// Belongs to the loop's thread.
class Alarm {
 public:
  virtual ~Alarm() = default;

 protected:
  Alarm() = default;
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
};

/// Reads time and calls back at a time. `mono` and `wall` may be used from any thread, `at` only on the loop.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Never goes back; its zero means nothing.
  virtual MonoTime mono() const = 0;
  /// May jump when somebody sets the clock.
  virtual WallTime wall() const = 0;
  /// Calls `wake` on the loop's thread at `when` (soon, if that has passed), never from inside `at`.
  virtual std::unique_ptr<Alarm> at(MonoTime when, std::function<void()> wake) = 0;

 protected:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
};

/// The machine's clocks; alarms are called on `loop`.
std::unique_ptr<Clock> make_real_clock(boost::asio::any_io_executor loop);

}  // namespace tgkeep
