#include "app/signal_watch.hpp"

#include <utility>

namespace tgkeep::app {

SignalWatch::SignalWatch(std::function<void()> on_first)
    : signals_(io_, [on_first = std::move(on_first)](std::string_view) { on_first(); }),
      thread_([this] { io_.run(); }) {}

SignalWatch::~SignalWatch() {
  io_.stop();
  thread_.join();
}

}  // namespace tgkeep::app
