#pragma once
// The whole house from one options object: long polling, the durable queues, the handler and the outbox.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/source.hpp>
#include <tgkeep/store.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

enum class LogFormat : std::uint8_t { text, json };

/// Writes `time level event key=value…` (or one JSON object) a line to stderr; control characters are
/// escaped.
Log stderr_log(LogLevel threshold = LogLevel::info, LogFormat format = LogFormat::text);

/// What a Gateway needs to know. Only the token has no default.
class GatewayOptions {
 public:
  explicit GatewayOptions(std::string token) : token(std::move(token)) {}
  /// Token, API root and folder from TGKEEP_TOKEN, TGKEEP_API_ROOT and TGKEEP_FOLDER, where they are set.
  static GatewayOptions from_environment();

  std::string token;  ///< from @BotFather; never logged
  std::string api_root = "https://api.telegram.org";
  bool test_environment = false;  ///< Telegram's test servers

  std::string folder = "tgkeep-data";  ///< of the store; made if missing. One process at a time
  bool in_memory = false;              ///< no folder: everything is forgotten at exit
  std::uint64_t reserve = 64U << 20;   ///< bytes of disk kept free: below, nothing new is accepted

  std::chrono::seconds poll_timeout{30};  ///< of one long poll, at most 50 s
  /// Kinds to ask Telegram for, until changed again. Absent: it keeps what was set last. Empty: its default
  /// kinds.
  std::optional<std::vector<std::string>> allowed_updates;
  bool drop_pending = false;  ///< give up, at each start, what Telegram still holds: a wilful loss

  std::size_t handler_threads = 0;  ///< 0 = max(4, 2 × cores)
  RunnerOptions inbox;              ///< how updates are handed to the handler
  RunnerOptions outbox;             ///< how calls are sent

  Duration drain = std::chrono::seconds(30);  ///< how long a stop lets handlers finish (P9)
  bool signals = true;  ///< SIGINT and SIGTERM stop `run`; a second one ends the process at once
  std::function<void()> on_stopping;  ///< called once, on the loop's thread, when a stop begins

  Log log = stderr_log();
};

/// What a running Gateway has done since its start.
class GatewayStats {
 public:
  GatewayStats() = default;
  SourceStats source;
  RunnerStats inbox;
  RunnerStats outbox;
  StoreCounts counts;  ///< the store's own, across restarts (P8)
};

/// How `run` ended; also the program's exit codes.
enum class ExitCode : int {
  stopped = 0,  ///< everything that ran was finished and settled
  failed = 1,   ///< it could not start, or the store broke; the log says why
  cut_off = 3,  ///< stopped, but some deliveries had not ended: they are handed over again at the next start
};

/// One bot. `return tgkeep::Gateway(options, handler).run();` is a whole main.
class Gateway {
 public:
  Gateway(GatewayOptions options, Handler handler);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  /// Receives and handles until a signal or `stop`, and returns an ExitCode. Call it once. A handler that
  /// never returns its thread keeps it from returning.
  int run();
  /// Begins a stop. Any thread, any time, also before `run`; returns at once.
  void stop();
  /// Any thread but the handler's inside `on_stopping`; what was last known when `run` is not running.
  GatewayStats stats() const;

 private:
  class House;
  std::unique_ptr<House> house_;
};

static_assert(!std::is_aggregate_v<GatewayOptions> && !std::is_aggregate_v<GatewayStats>);

}  // namespace tgkeep
