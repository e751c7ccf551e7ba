#include "app/shared_rooms.hpp"

#include <algorithm>
#include <utility>

#include "loop/real_clock.hpp"

namespace tgkeep::app {

namespace {

// Besides its calls a bot needs a connection to poll, and to look after its webhook: with these none waits
// for another bot's.
constexpr long kConnectionsPerBot = static_cast<long>(kCallsPerBot) + 4;

/// Connections in all, and to one host.
using Limits = std::pair<long, long>;

Limits for_api(const std::vector<BotOptions>& bots, long more) {
  const long bot_count = std::max<long>(1, static_cast<long>(bots.size()));
  const long per_host = kConnectionsPerBot * bot_count + more;
  return Limits(std::max(http::ClientOptions().max_connections, per_host), per_host);
}

// A call of a bot at the face takes a connection for as long as it lasts; uploads last long.
constexpr long kCallsOfOneFace = 256;
constexpr long kLeastForFaces = 1000;

Limits for_faces(const std::vector<BotOptions>& bots) {
  const long at_once = std::max(kLeastForFaces, kCallsOfOneFace * static_cast<long>(bots.size()));
  return Limits(at_once, at_once);
}

Limits for_pushes(const std::vector<BotOptions>& bots) {
  long at_once = 0;
  for (const BotOptions& bot : bots) {
    if (bot.push) at_once += static_cast<long>(bot.push->concurrency);
    // Its own webhook may take whatever the runner hands over.
    if (bot.pull) at_once += static_cast<long>(bot.inbox.limit);
  }
  const http::ClientOptions least;
  return Limits(std::max(least.max_connections, at_once), std::max(least.max_connections_per_host, at_once));
}

http::ClientOptions client_options(const Limits& limits) {
  http::ClientOptions client;
  client.max_connections = limits.first;
  client.max_connections_per_host = limits.second;
  return client;
}

http::AddressFilter filter_of(const std::shared_ptr<sink::TargetAddresses>& allowed) {
  return [allowed](std::string_view address) { return allowed->allows(address); };
}

http::ClientOptions push_client_options(const Limits& limits,
                                        const std::shared_ptr<sink::TargetAddresses>& allowed) {
  http::ClientOptions client = client_options(limits);
  client.allowed = filter_of(allowed);
  return client;
}

std::unique_ptr<Clock> make_clock(const boost::asio::any_io_executor& loop, const ProcessOptions& process) {
  if (process.clock) return process.clock(loop);
  return std::make_unique<loop::RealClock>(loop);
}

bool has_handler(const BotOptions& bot) {
  return !bot.push && !bot.pull;
}

}  // namespace

SharedRooms::SharedRooms(const boost::asio::any_io_executor& loop, const ProcessOptions& process,
                         const std::vector<BotOptions>& bots)
    : loop_(loop),
      clock_(make_clock(loop, process)),
      handler_threads_(process.handler_threads),
      has_many_bots_(bots.size() > 1),
      allowed_(std::make_shared<sink::TargetAddresses>(
          sink::TargetAddresses::parse(process.push_networks).value())),
      api_client_(loop, client_options(for_api(bots, 0))),
      push_client_(loop, push_client_options(for_pushes(bots), allowed_)),
      face_(process.face),
      pool_opened_(loop) {
  if (face_) face_client_ = std::make_unique<http::Client>(loop, client_options(for_faces(bots)));
  if (!has_many_bots_ && !bots.empty()) calls_of_one_alone_ = static_cast<long>(calls_at_once(bots.front()));
  fit(bots);
}

std::size_t SharedRooms::calls_at_once(const BotOptions& bot) const {
  return has_many_bots_ ? std::min(bot.outbox.limit, kCallsPerBot) : bot.outbox.limit;
}

void SharedRooms::fit(const std::vector<BotOptions>& bots) {
  has_many_bots_ = bots.size() > 1;
  const Limits api = for_api(bots, has_many_bots_ ? calls_of_one_alone_ : 0);
  api_client_.limit_connections(api.first, api.second);
  const Limits pushes = for_pushes(bots);
  push_client_.limit_connections(pushes.first, pushes.second);
  const Limits faces = for_faces(bots);
  if (face_client_) face_client_->limit_connections(faces.first, faces.second);
  if (pool_ == nullptr && std::any_of(bots.begin(), bots.end(), has_handler)) {
    pool_ = std::make_unique<sink::HandlerPool>(handler_threads_);
    pool_opened_.notify();
  }
}

http::AddressFilter SharedRooms::push_allowed() const {
  return filter_of(allowed_);
}

void SharedRooms::allow(const std::vector<std::string>& networks) {
  *allowed_ = sink::TargetAddresses::parse(networks).value();
}

}  // namespace tgkeep::app
