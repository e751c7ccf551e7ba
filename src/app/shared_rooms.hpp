#pragma once
// What all bots of a process use together: the clock, the HTTP clients, the handlers' threads.

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <tgkeep/clock.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/handler_sink.hpp>
#include <vector>

#include "http/client.hpp"

namespace tgkeep::app {

/// Calls of one bot that run at once, at most, when several bots share the connections to the API server.
inline constexpr std::size_t kCallsPerBot = 96;

/// Everything on the loop's thread. Must outlive the rooms of every bot.
class SharedRooms {
 public:
  /// Throws Failure when `process.push_networks` can't be read.
  SharedRooms(const boost::asio::any_io_executor& loop, const ProcessOptions& process,
              const std::vector<BotOptions>& bots);
  const boost::asio::any_io_executor& loop() const { return loop_; }
  Clock& clock() { return *clock_; }
  /// For the Bot API: any address.
  http::Client& api_client() { return api_client_; }
  /// For pushes: only addresses that are allowed.
  http::Client& push_client() { return push_client_; }
  bool has_pool() const { return pool_ != nullptr; }
  sink::HandlerPool& pool() { return *pool_; }
  bool has_many_bots() const { return has_many_bots_; }
  /// Joins the handlers' threads. Turn the loop once more before destroying the rooms: a handler that was cut
  /// off still reports its end there.
  void join_handlers() { pool_.reset(); }

 private:
  boost::asio::any_io_executor loop_;
  std::unique_ptr<Clock> clock_;
  bool has_many_bots_;
  http::Client api_client_;
  http::Client push_client_;
  std::unique_ptr<sink::HandlerPool> pool_;  // none when every bot is pushed to
};

}  // namespace tgkeep::app
