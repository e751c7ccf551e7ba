#pragma once
// What the desk stands in: a running process with its bots, or the files of one that is down.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/time.hpp>
#include <vector>

#include "admin/operated_bot.hpp"

namespace tgkeep::admin {

/// Everything on the loop's thread.
class Premises {
 public:
  virtual ~Premises() = default;
  /// Whether a process is running in them; else only files are there.
  virtual bool live() const = 0;
  virtual asio::any_io_executor loop() const = 0;
  virtual Clock& clock() = 0;
  /// In the order of the configuration. A pointer is good until the next `co_await`: a reload may end a bot.
  virtual std::vector<OperatedBot*> bots() = 0;
  /// When this process began.
  virtual WallTime started() const = 0;
  /// Whether it is stopping, and whether it still receives (see `drain`).
  virtual bool stopping() const { return false; }
  virtual bool receiving() const { return false; }

  /// Receives nothing more and goes on handing over what is stored; `resume_receiving` takes it back. A
  /// process that is down: misuse.
  virtual asio::awaitable<Result<void>> drain() = 0;
  virtual asio::awaitable<Result<void>> resume_receiving() = 0;
  /// Begins a stop, as SIGTERM does.
  virtual Result<void> stop() = 0;
  /// Reads the configuration again, as SIGHUP does; what changed, a sentence each. An error leaves everything
  /// as it was.
  virtual asio::awaitable<Result<std::vector<std::string>>> reload() = 0;

 protected:
  Premises() = default;
  Premises(const Premises&) = delete;
  Premises& operator=(const Premises&) = delete;
};

}  // namespace tgkeep::admin
