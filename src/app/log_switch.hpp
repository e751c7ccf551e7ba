#pragma once
// What the program's log writes, changed while it runs.

#include <atomic>
#include <memory>
#include <string_view>
#include <tgkeep/gateway.hpp>
#include <tgkeep/log.hpp>

namespace tgkeep::app {

/// Any thread.
class LogSwitch {
 public:
  /// `updates`: whether each webhook request and each delivery gets its line.
  LogSwitch(LogLevel threshold, bool updates) : threshold_(threshold), updates_(updates) {}
  void set(LogLevel threshold, bool updates) noexcept {
    threshold_ = threshold;
    updates_ = updates;
  }
  bool lets_through(LogLevel level, std::string_view event) const noexcept {
    if (level < threshold_.load(std::memory_order_relaxed)) return false;
    if (level >= LogLevel::warning || updates_.load(std::memory_order_relaxed)) return true;
    return event != "delivery" && event != "webhook_request";
  }

 private:
  std::atomic<LogLevel> threshold_;
  std::atomic<bool> updates_;
};

/// As `stderr_log`, but the switch decides.
Log switched_log(std::shared_ptr<const LogSwitch> lets, LogFormat format);

}  // namespace tgkeep::app
