#pragma once
// A Bot API server on loopback for tests and the demo. First slice: getUpdates, sendMessage, getMe,
// deleteWebhook, getWebhookInfo; no flood limits, no webhooks.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>

#include "emulator/answer.hpp"
#include "emulator/bot_account.hpp"
#include "emulator/call_log.hpp"
#include "emulator/fault.hpp"
#include "emulator/route.hpp"
#include "http/server.hpp"

namespace tgkeep::emulator {

/// Everything on the loop's thread. `stop` it before destroying it.
class BotServer {
 public:
  /// Listens on 127.0.0.1, any free port.
  static Result<std::unique_ptr<BotServer>> listen(const boost::asio::any_io_executor& loop, Clock& clock,
                                                   Log log = Log());
  BotServer(const BotServer&) = delete;
  BotServer& operator=(const BotServer&) = delete;

  std::uint16_t port() const { return server_->port(); }
  /// http://127.0.0.1:PORT, without a slash at the end.
  std::string root() const;

  /// Makes `token` (well-formed) known; tokens nobody added are unauthorized. The seed decides the first
  /// update_id.
  BotAccount& add_bot(std::string_view token, std::uint64_t seed, bool test = false);
  /// Asked for every request of a known bot and method.
  void set_faults(FaultScript script) { faults_ = std::move(script); }
  const CallLog& calls() const noexcept { return calls_; }

  /// Waiting polls get []; what is being answered has `drain` to end.
  boost::asio::awaitable<void> stop(Duration drain);

 private:
  explicit BotServer(Clock& clock) : clock_(clock) {}
  boost::asio::awaitable<http::ServerReply> handle(http::ServerRequest request);
  boost::asio::awaitable<http::ServerReply> serve(BotAccount& account, Route route);
  boost::asio::awaitable<Answer> perform(BotAccount& account, CallRecord& record);

  Clock& clock_;
  std::map<std::string, std::unique_ptr<BotAccount>, std::less<>> accounts_;
  CallLog calls_;
  FaultScript faults_;
  bool stopping_ = false;
  std::unique_ptr<http::Server> server_;
};

}  // namespace tgkeep::emulator
