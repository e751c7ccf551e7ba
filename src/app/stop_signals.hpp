#pragma once
// SIGINT and SIGTERM: the first asks for a stop, the second ends the process at once (P9).

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <string_view>

namespace tgkeep::app {

/// Lives on the loop's thread. Destroying it gives both signals their default action back.
class StopSignals {
 public:
  StopSignals(boost::asio::io_context& io, std::function<void(std::string_view signal)> on_first);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  boost::asio::signal_set set_;
};

}  // namespace tgkeep::app
