#pragma once
// SIGINT and SIGTERM heard on a thread of their own, for what has no loop to hear them on.

#include <boost/asio/io_context.hpp>
#include <functional>
#include <thread>

#include "app/stop_signals.hpp"

namespace tgkeep::app {

/// The first signal calls `on_first` on the watch's thread, the second ends the process at once (P9).
/// Destroying it gives both signals their default action back.
class SignalWatch {
 public:
  explicit SignalWatch(std::function<void()> on_first);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  boost::asio::io_context io_{1};
  StopSignals signals_;
  std::thread thread_;
};

}  // namespace tgkeep::app
