#pragma once
// The emulator as a product: a Bot API server with its clock and its control requests.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <type_traits>
#include <vector>

#include "emulator/bot_server.hpp"
#include "emulator/control/control.hpp"
#include "emulator/steerable_clock.hpp"

namespace tgkeep::emulator {

class EmulatorOptions {
 public:
  EmulatorOptions() {
    server.strict = true;
    server.flood_limits = true;
    server.keep_calls = 10'000;
    server.keep_answers = true;
    server.port = 8081;
  }
  BotServerOptions server;
  SteerableClock::Pace pace = SteerableClock::Pace::real;
  std::vector<std::string> tokens;  ///< of its bots; none: every well-formed token is a bot's
  std::uint64_t seed = 1;           ///< of the bots' first update_ids
};

/// Everything on the loop's thread. `stop` it before destroying it.
class Emulator {
 public:
  /// Listens at once; the error names address and port, or the token that is none.
  static Result<std::unique_ptr<Emulator>> start(const boost::asio::any_io_executor& loop,
                                                 EmulatorOptions options, Log log);
  BotServer& server() noexcept { return *server_; }
  SteerableClock& clock() noexcept { return clock_; }
  boost::asio::awaitable<void> stop(Duration drain);

 private:
  Emulator(const boost::asio::any_io_executor& loop, SteerableClock::Pace pace) : clock_(loop, pace) {}
  SteerableClock clock_;
  std::unique_ptr<BotServer> server_;
  std::unique_ptr<Control> control_;
};

static_assert(!std::is_aggregate_v<EmulatorOptions>);

}  // namespace tgkeep::emulator
