#pragma once
// One bot from its start to its end, on a loop that it shares.

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <tgkeep/gateway.hpp>

#include "app/rooms.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. After `begin`, destroy it only when `wind_down` has ended.
class BotLife {
 public:
  /// `on_failed` is called when the bot's store breaks. Throws Failure when the bot can't start.
  BotLife(SharedRooms& shared, BotOptions options, const Log& log,
          std::function<void(const Error&)> on_failed);
  BotLife(const BotLife&) = delete;
  BotLife& operator=(const BotLife&) = delete;

  /// Says what is there, starts both runners and the source, and returns.
  asio::awaitable<void> begin();
  /// Receives nothing more, lets handlers end until `until` and calls at least for `last_calls`; returns how
  /// many deliveries were cut off.
  asio::awaitable<std::size_t> wind_down(MonoTime until, Duration last_calls);
  /// Shortens the drain of the `wind_down` under way, if it has not got to the calls.
  void hurry(MonoTime until);

  asio::awaitable<GatewayStats> collect();
  /// As collected at the end of `wind_down`.
  const GatewayStats& last_stats() const { return last_; }
  const BotOptions& options() const { return options_; }
  Rooms& rooms() { return rooms_; }
  bool failed() const { return failed_; }

 private:
  asio::awaitable<void> announce();
  asio::awaitable<void> receive();
  asio::awaitable<void> watch(Runner& runner);
  asio::awaitable<void> hurry_runner(Runner& runner);
  asio::awaitable<void> send_last_calls(MonoTime until);
  void fail(const Error& error);

  SharedRooms& shared_;
  BotOptions options_;
  Log log_;
  std::function<void(const Error&)> on_failed_;
  Rooms rooms_;
  bool failed_ = false;
  MonoTime until_ = MonoTime::max();  // of `wind_down`
  Runner* stopping_ = nullptr;        // whose drain can be shortened
  GatewayStats last_;
  loop::TaskGroup receiving_;
  loop::TaskGroup watching_;
};

}  // namespace tgkeep::app
