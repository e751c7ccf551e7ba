#include "app/reload_signal.hpp"

#include <csignal>

namespace tgkeep::app {

ReloadSignal::ReloadSignal(boost::asio::io_context& io, std::function<void()> on_signal)
    : set_(io, SIGHUP), on_signal_(std::move(on_signal)) {
  wait();
}

ReloadSignal::~ReloadSignal() {
  set_.cancel();
  set_.clear();
}

void ReloadSignal::wait() {
  set_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    on_signal_();
    wait();
  });
}

}  // namespace tgkeep::app
