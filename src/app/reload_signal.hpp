#pragma once
// SIGHUP: asks for the configuration to be read again.

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>

namespace tgkeep::app {

/// Lives on the loop's thread. Destroying it gives the signal its default action back.
class ReloadSignal {
 public:
  ReloadSignal(boost::asio::io_context& io, std::function<void()> on_signal);
  ~ReloadSignal();
  ReloadSignal(const ReloadSignal&) = delete;
  ReloadSignal& operator=(const ReloadSignal&) = delete;

 private:
  void wait();

  boost::asio::signal_set set_;
  std::function<void()> on_signal_;
};

}  // namespace tgkeep::app
