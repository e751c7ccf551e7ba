#include "app/stop_signals.hpp"

#include <csignal>
#include <cstdlib>

namespace tgkeep::app {

namespace {

// Only what a signal handler may call: it works even when the loop is stuck.
extern "C" void end_at_once(int signal) {
  std::_Exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals(boost::asio::io_context& io, std::function<void(std::string_view)> on_first)
    : set_(io, SIGINT, SIGTERM) {
  set_.async_wait([this, on_first = std::move(on_first)](const boost::system::error_code& error, int signal) {
    if (error) return;
    set_.clear();
    std::signal(SIGINT, end_at_once);
    std::signal(SIGTERM, end_at_once);
    on_first(signal == SIGINT ? "SIGINT" : "SIGTERM");
  });
}

StopSignals::~StopSignals() {
  set_.cancel();
  set_.clear();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace tgkeep::app
