#pragma once
// The control requests under /control/ (docs/emulator.md): everything Telegram's people and its operators do.

#include <boost/asio/awaitable.hpp>

#include "emulator/control/desk.hpp"
#include "http/server.hpp"
#include "loop/real_clock.hpp"

namespace tgkeep::emulator {

/// Answers in the Bot API's envelope. Everything on the loop's thread.
class Control {
 public:
  /// Both must outlive it.
  Control(const boost::asio::any_io_executor& loop, BotServer& server, SteerableClock& clock);
  boost::asio::awaitable<http::ServerReply> handle(http::ServerRequest request);

 private:
  boost::asio::awaitable<Checked<json::value>> perform(std::string path, json::object request);
  boost::asio::awaitable<Checked<json::value>> wait_for_calls(json::object request);
  boost::asio::awaitable<Checked<json::value>> restore(json::object request);
  json::array calls_meant(const json::object& request) const;

  Desk desk_;
  loop::RealClock real_;  ///< waiting for calls takes real time, whatever the clock does
};

}  // namespace tgkeep::emulator
