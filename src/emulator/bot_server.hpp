#pragma once
// A Bot API server on loopback: every method answers, updates come by getUpdates and webhook as from
// api.telegram.org, and faults come on demand.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <type_traits>
#include <vector>

#include "emulator/answer.hpp"
#include "emulator/bot_account.hpp"
#include "emulator/call_log.hpp"
#include "emulator/fault.hpp"
#include "emulator/route.hpp"
#include "emulator/scaled_clock.hpp"
#include "emulator/schema/schema.hpp"
#include "emulator/webhook_methods.hpp"
#include "emulator/world/world.hpp"
#include "http/server.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::emulator {

class BotServerOptions {
 public:
  BotServerOptions() = default;
  telegram::WebhookRules webhook_rules = telegram::WebhookRules::local;
  /// How much faster than the clock the waits of webhooks (retries, new connections) and the lifetimes of
  /// updates pass.
  double speed = 1;
  Duration webhook_deadline = std::chrono::seconds(60);  ///< of one webhook request; not affected by `speed`
  /// Only users, chats and files that somebody made are there; a bot may write to users who wrote to it.
  /// Otherwise they come into being when a call names them.
  bool strict = false;
  std::string local_folder;  ///< see World
  bool any_bot = false;      ///< every well-formed token is a bot's
  bool cloud_errors =
      false;  ///< malformed tokens get 404, as in the cloud, not the 401 and 421 of the public program
  bool flood_limits = false;   ///< see flood_limits.hpp
  std::size_t keep_calls = 0;  ///< of the newest calls; 0: all
  bool keep_answers = false;   ///< in the call log
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;             ///< 0: any free port
  std::optional<http::TlsFiles> tls;  ///< absent: plain HTTP
};

/// Everything on the loop's thread. `stop` it before destroying it.
class BotServer {
 public:
  /// Answers requests under /control/.
  using ControlHandler = std::function<boost::asio::awaitable<http::ServerReply>(http::ServerRequest)>;

  static Result<std::unique_ptr<BotServer>> listen(const boost::asio::any_io_executor& loop, Clock& clock,
                                                   Log log = Log(),
                                                   BotServerOptions options = BotServerOptions());
  BotServer(const BotServer&) = delete;
  BotServer& operator=(const BotServer&) = delete;

  std::uint16_t port() const { return port_; }
  /// http://ADDRESS:PORT (or https), without a slash at the end.
  std::string root() const;

  /// Makes `token` (well-formed) known; tokens nobody added are unauthorized. The seed decides the first
  /// update_id.
  BotAccount& add_bot(std::string_view token, std::uint64_t seed, bool test = false);
  /// By user id (in the test environment + 2^54); nullptr when there is none.
  BotAccount* find_bot(std::int64_t id) noexcept;
  std::vector<BotAccount*> bots() const;
  /// People, chats, messages and files.
  World& world() noexcept { return world_; }

  /// Asked for every request of a known bot and method.
  void set_faults(FaultScript script) { faults_ = std::move(script); }
  /// Asked with the method's name when only the head of a request has come.
  void set_early_faults(EarlyFaultScript script) { early_faults_ = std::move(script); }
  /// Asked for every webhook request of webhooks set from now on.
  void set_webhook_faults(WebhookFaultScript script) { webhook_faults_ = std::move(script); }
  /// Without one, /control/ is not found.
  void set_control(ControlHandler handler) { control_ = std::move(handler); }

  const CallLog& calls() const noexcept { return calls_; }
  /// Those that run stay.
  void clear_calls();
  /// Notified when a call begins or ends.
  loop::Event& calls_changed() noexcept { return calls_changed_; }

  /// Everything that a restart keeps, and the bots.
  json::object save() const;
  /// Back to what was saved. Bots it does not know start anew, as by `reset`.
  boost::asio::awaitable<void> load(json::object saved);
  /// Bots start anew, but stay where they get their updates: what runs goes on. The rest is forgotten.
  boost::asio::awaitable<void> reset();

  /// Waiting polls get []; webhooks are cut; what is being answered has `drain` to end.
  boost::asio::awaitable<void> stop(Duration drain);
  /// Stops, is gone for `down`, and listens on the same port again. What is kept is as before. For a task of
  /// its own: a request that waits for it would hold up the stop.
  boost::asio::awaitable<void> restart(Duration down);
  /// The same, in a task of the server's.
  void start_restart(Duration down);

 private:
  BotServer(const boost::asio::any_io_executor& loop, Clock& clock, Log log, BotServerOptions options);
  Result<void> open();
  boost::asio::awaitable<void> close(Duration drain);
  boost::asio::awaitable<http::ServerReply> handle(http::ServerRequest request);
  boost::asio::awaitable<http::ServerReply> serve(BotAccount& account, Route route);
  boost::asio::awaitable<Answer> perform(BotAccount& account, const schema::MethodSpec& method,
                                         CallRecord& record);
  CallRecord& note(const BotAccount& account, Route route, const schema::MethodSpec* method);
  BotAccount* account_of(const Route& route);
  http::ServerReply download(std::string_view target);
  boost::asio::awaitable<bool> pause(Duration duration);
  boost::asio::awaitable<void> wait_for_stop();
  std::optional<http::ServerReply> check_head(const http::ServerRequest& head) const;
  boost::asio::awaitable<void> perform_reply(BotAccount& account, Route route);
  boost::asio::awaitable<void> forget();
  void send_webhooks();
  std::unique_ptr<WebhookSender> start_sender(BotAccount& account);

  boost::asio::any_io_executor loop_;
  Clock& clock_;
  ScaledClock pace_;
  Log log_;
  BotServerOptions options_;
  std::uint16_t port_ = 0;
  World world_;
  std::map<std::string, std::unique_ptr<BotAccount>, std::less<>> accounts_;
  CallLog calls_;
  std::int64_t last_call_ = 0;
  loop::Event calls_changed_;
  loop::Event stopped_;
  FaultScript faults_;
  EarlyFaultScript early_faults_;
  WebhookFaultScript webhook_faults_;
  ControlHandler control_;
  bool stopping_ = false;
  std::unique_ptr<http::Server> server_;
  loop::TaskGroup replies_;
};

static_assert(!std::is_aggregate_v<BotServerOptions>);

}  // namespace tgkeep::emulator
