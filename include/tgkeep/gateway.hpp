#pragma once
// The whole house from one options object: sources, the durable queues, handlers and the outbox, of one bot
// or many.

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/bot_options.hpp>
#include <tgkeep/clock.hpp>
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

/// Where webhook requests and settlements arrive. Used only when a bot needs it.
class ListenOptions {
 public:
  ListenOptions() = default;
  std::string address = "127.0.0.1";  ///< an IP address of this machine
  std::uint16_t port = 8480;          ///< 0: any free one
  std::string certificate;  ///< PEM file with its chain; "" = plain HTTP. SIGHUP reads both files again
  std::string key;          ///< PEM file
};

/// Where a running process can be asked and told things: docs/admin_api.md.
class AdminOptions {
 public:
  AdminOptions() = default;
  /// Path of a Unix socket (mode 0600; a stale one is replaced); "" = none. Its folder is made if missing.
  std::string socket;
  std::string address;             ///< an IP address of this machine, for TCP; "" = none
  std::uint16_t port = 0;          ///< 0: any free one
  std::string token;               ///< that TCP needs, at least 32 characters; never logged
  std::vector<std::string> hosts;  ///< names it is reached by over TCP, besides `address`
  /// A bot whose last good exchange with Telegram, or store, is older makes `/readyz` say no.
  Duration max_age = std::chrono::minutes(3);
};

/// Where bots reach the Bot API through this process: docs/face.md. Every bot of the process is served there,
/// each with its own token.
class FaceOptions {
 public:
  FaceOptions() = default;
  std::string address = "127.0.0.1";  ///< an IP address of this machine
  std::uint16_t port = 8481;          ///< 0: any free one
  std::string certificate;            ///< PEM file with its chain; "" = plain HTTP
  std::string key;                    ///< PEM file
  bool allow_plain = false;  ///< plain HTTP on an address that others can reach: tokens go over the wire
  Duration max_wait = std::chrono::seconds(30);  ///< of a call, for its turn and for flood waits; then 429
  std::size_t max_waiting = 1000;                ///< calls of one bot that wait; more: 429
  double bulk_rate = 25;  ///< calls a second of one bot that are marked as bulk; the others are not paced
};

class Reconfiguration;

/// What the bots of one process share.
class ProcessOptions {
 public:
  ProcessOptions() = default;
  ListenOptions listen;             ///< for webhooks and settlements of pushed updates
  AdminOptions admin;               ///< none by default
  std::optional<FaceOptions> face;  ///< absent: opened with the defaults when a bot has `pull`
  /// Addresses and ranges that pushes may go to besides public ones and this machine: `10.0.0.0/8`,
  /// `fd00::/8`.
  std::vector<std::string> push_networks;
  std::size_t handler_threads = 0;            ///< 0 = max(4, 2 × cores)
  Duration drain = std::chrono::seconds(30);  ///< how long a stop lets handlers finish (P9)
  /// Makes the clock that everything waits by and reads; absent: the machine's. For tests.
  std::function<std::unique_ptr<Clock>(asio::any_io_executor)> clock;
  bool signals = true;  ///< SIGINT and SIGTERM stop `run`; a second one ends the process at once
  /// What the running process is to change to: called on SIGHUP and when an operator asks for it, on the
  /// loop's thread. An error leaves everything as it is. Absent: SIGHUP reads the certificate again, and no
  /// more.
  std::function<Result<Reconfiguration>()> reload;
  std::function<void()> on_stopping;  ///< called once, on the loop's thread, when a stop begins
  Log log = stderr_log();             ///< of the process; each bot adds its id
};

/// What a running Gateway is to change to. Bots are known by the id in their token. One that is the same as
/// before is not touched; one that is gone winds down within `drain`; one that differs does, too, and goes on
/// in the same store with its new options; a new one begins. Everything that can be checked is checked
/// before. Functions can't be compared: those of the same type count as the same.
class Reconfiguration {
 public:
  Reconfiguration(ProcessOptions process, std::vector<BotOptions> bots)
      : process(std::move(process)), bots(std::move(bots)) {}
  /// Of these only `drain` and `push_networks` change, and `listen` when nothing listens yet. `admin`,
  /// `face`, `handler_threads` and `listen` need a restart: a change of them is refused. The rest is not
  /// looked at.
  ProcessOptions process;
  std::vector<BotOptions> bots;  ///< all that are to run
  /// Called when all that has been done, for what the embedder changes besides; says it, a sentence each.
  std::function<std::vector<std::string>()> also;
};

/// One bot and its process.
class GatewayOptions : public BotOptions, public ProcessOptions {
 public:
  explicit GatewayOptions(std::string token) : BotOptions(std::move(token)) {}
  /// Token, API root and folder from TGKEEP_TOKEN, TGKEEP_API_ROOT and TGKEEP_FOLDER, where they are set.
  static GatewayOptions from_environment();
};

/// What one bot of a running Gateway has done since its start.
class GatewayStats {
 public:
  GatewayStats() = default;
  SourceStats source;  ///< what came in
  RunnerStats inbox;   ///< what handlers did
  RunnerStats outbox;  ///< what calls were sent
  StoreCounts counts;  ///< the store's own, across restarts (P8)
};

/// How `run` ended; also the program's exit codes.
enum class ExitCode : int {
  stopped = 0,  ///< everything that ran was finished and settled
  failed = 1,   ///< it could not start, or the store broke; the log says why
  cut_off = 3,  ///< stopped, but some deliveries had not ended: they are handed over again at the next start
};

/// `return tgkeep::Gateway(options, handler).run();` is a whole main.
class Gateway {
 public:
  /// One bot.
  Gateway(GatewayOptions options, Handler handler);
  /// Any number of bots on one loop, each with source, queues and limits of its own. Each needs a folder of
  /// its own. A token that is refused suspends that bot only; a store that breaks ends the process.
  Gateway(ProcessOptions process, std::vector<BotOptions> bots);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  /// Receives and handles until a signal or `stop`, and returns an ExitCode. Call it once. A handler that
  /// never returns its thread keeps it from returning.
  int run();
  /// Begins a stop. Any thread, any time, also before `run`; returns at once.
  void stop();
  /// The same with a `drain` of its own; a shorter one counts also while it is stopping.
  void stop(Duration drain);
  /// Changes to what `ProcessOptions::reload` says and returns what changed, a sentence each. An error leaves
  /// everything as it was, unless it says otherwise. Takes as long as the bots it concerns take to end. Any
  /// thread but the loop's own; misuse when `run` is not running, or another reload is.
  Result<std::vector<std::string>> reload();
  /// Of the bot with this number at the start (bots that come with a reload have none; of one that is gone:
  /// as it ended); what was last known when `run` is not running. Any thread, handlers too; on
  /// the loop's own (`on_stopping`, `on_error`, `on_timeout`, transformers, `sequentialize`) it would wait
  /// for itself and throws Failure (misuse).
  GatewayStats stats(std::size_t bot = 0) const;
  /// What the bot's handler works on now; empty when `run` is not running. Any thread, the
  /// loop's too.
  std::vector<InFlight> snapshot(std::size_t bot = 0) const;
  /// Why `run` returned ExitCode::failed. After `run`.
  std::optional<Error> failure() const;
  /// How many deliveries had not ended at the stop. After `run`.
  std::size_t cut_off() const;

 private:
  class House;
  std::unique_ptr<House> house_;
};

static_assert(!std::is_aggregate_v<FaceOptions>);
static_assert(!std::is_aggregate_v<ListenOptions> && !std::is_aggregate_v<AdminOptions>);
static_assert(!std::is_aggregate_v<ProcessOptions> && !std::is_aggregate_v<Reconfiguration>);
static_assert(!std::is_aggregate_v<GatewayOptions> && !std::is_aggregate_v<GatewayStats>);

}  // namespace tgkeep
