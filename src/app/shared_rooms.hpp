#pragma once
// What all bots of a process use together: the clock, the HTTP clients, the handlers' threads.

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/gateway.hpp>
#include <tgkeep/handler_sink.hpp>
#include <vector>

#include "http/client.hpp"
#include "loop/event.hpp"
#include "sink/target_address.hpp"

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
  http::AddressFilter push_allowed() const;
  /// Where bots reach the Bot API through this process; nothing when they don't.
  const std::optional<FaceOptions>& face() const { return face_; }
  /// For the calls of bots at the face, so that they wait for none of ours. Only with a face.
  http::Client& face_client() { return *face_client_; }
  bool has_pool() const { return pool_ != nullptr; }
  sink::HandlerPool& pool() { return *pool_; }
  /// Notified when `has_pool` becomes true.
  loop::Event& pool_opened() { return pool_opened_; }
  /// How many calls of this bot may run at once.
  std::size_t calls_at_once(const BotOptions& bot) const;

  /// Makes room for other bots than before. Those there were may go on as they are.
  void fit(const std::vector<BotOptions>& bots);
  /// Where pushes may go from now on, besides public addresses and this machine; connections that are open
  /// stay. Throws Failure when a range can't be read.
  void allow(const std::vector<std::string>& networks);

  /// Joins the handlers' threads. Turn the loop once more before destroying the rooms: a handler that was cut
  /// off still reports its end there.
  void join_handlers() { pool_.reset(); }

 private:
  boost::asio::any_io_executor loop_;
  std::unique_ptr<Clock> clock_;
  const std::size_t handler_threads_;
  bool has_many_bots_;
  long calls_of_one_alone_ = 0;  // of a bot that had all connections for itself when it began
  std::shared_ptr<sink::TargetAddresses> allowed_;
  http::Client api_client_;
  http::Client push_client_;
  const std::optional<FaceOptions> face_;
  std::unique_ptr<http::Client> face_client_;
  loop::Event pool_opened_;
  std::unique_ptr<sink::HandlerPool> pool_;  // none while every bot is pushed to
};

}  // namespace tgkeep::app
