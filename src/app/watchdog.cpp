#include "app/watchdog.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tgkeep::app {

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    called_off_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::arm(Duration patience, int exit_code) {
  thread_ = std::thread([this, patience, exit_code] {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, patience, [this] { return called_off_; })) return;
    // A plain write: whatever hangs may hold the log's lock.
    constexpr std::string_view kLast =
        "tgkeep: something did not end in time; it is handed over again at the next start\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kLast.data(), kLast.size());
    std::_Exit(exit_code);
  });
}

}  // namespace tgkeep::app
