#pragma once
// The program's last resort: ends the process when a stop takes longer than promised (P9).

#include <condition_variable>
#include <mutex>
#include <tgkeep/time.hpp>
#include <thread>

namespace tgkeep::app {

/// Destroying it calls the end off.
class Watchdog {
 public:
  Watchdog() = default;
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  /// Ends the process with `exit_code` after `patience`, come what may. Once; any thread.
  void arm(Duration patience, int exit_code);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool called_off_ = false;
  std::thread thread_;
};

}  // namespace tgkeep::app
