#pragma once
// A coroutine that hands over one delivery after another: cheaper than one coroutine for each.

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <list>
#include <memory>
#include <optional>
#include <tgkeep/sink.hpp>
#include <tgkeep/time.hpp>

#include "runner/direct_line.hpp"

namespace tgkeep::runner {

class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Suspends its coroutine until `wake`.
  asio::awaitable<void> rest();
  bool resting() const noexcept { return rested_.has_value(); }
  /// Goes on inside this call. Only while it rests.
  void wake();
  void cancel();

  std::list<Worker>::iterator place;
  std::shared_ptr<const Delivery> delivery;  ///< null while it has none
  DirectLine::Slot slot = 0;
  MonoTime since;
  asio::cancellation_signal signal;
  bool begun = false;    ///< its coroutine has begun: before that its signal must not be used (see TaskGroup)
  bool overdue = false;  ///< past its timeout: has given its slot back
  bool cut_off = false;  ///< cancelled by a stop

 private:
  using Rested = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;
  std::optional<Rested> rested_;
};

}  // namespace tgkeep::runner
