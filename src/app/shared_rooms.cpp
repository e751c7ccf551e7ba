#include "app/shared_rooms.hpp"

#include <algorithm>

#include "loop/real_clock.hpp"
#include "sink/target_address.hpp"

namespace tgkeep::app {

namespace {

// Besides its calls a bot needs a connection to poll, and to look after its webhook: with these none waits
// for another bot's.
constexpr long kConnectionsPerBot = static_cast<long>(kCallsPerBot) + 4;

http::ClientOptions for_api(const std::vector<BotOptions>& bots) {
  http::ClientOptions client;
  const long bot_count = std::max<long>(1, static_cast<long>(bots.size()));
  client.max_connections_per_host = kConnectionsPerBot * bot_count;
  client.max_connections = std::max(client.max_connections, client.max_connections_per_host);
  return client;
}

http::ClientOptions for_pushes(const ProcessOptions& process, const std::vector<BotOptions>& bots) {
  http::ClientOptions client;
  long at_once = 0;
  for (const BotOptions& bot : bots) {
    if (bot.push) at_once += static_cast<long>(bot.push->concurrency);
  }
  client.max_connections = std::max(client.max_connections, at_once);
  client.max_connections_per_host = std::max(client.max_connections_per_host, at_once);
  client.allowed = sink::TargetAddresses::parse(process.push_networks).value().filter();
  return client;
}

std::unique_ptr<Clock> make_clock(const boost::asio::any_io_executor& loop, const ProcessOptions& process) {
  if (process.clock) return process.clock(loop);
  return std::make_unique<loop::RealClock>(loop);
}

bool has_handler(const BotOptions& bot) {
  return !bot.push;
}

}  // namespace

SharedRooms::SharedRooms(const boost::asio::any_io_executor& loop, const ProcessOptions& process,
                         const std::vector<BotOptions>& bots)
    : loop_(loop),
      clock_(make_clock(loop, process)),
      has_many_bots_(bots.size() > 1),
      api_client_(loop, for_api(bots)),
      push_client_(loop, for_pushes(process, bots)) {
  if (std::any_of(bots.begin(), bots.end(), has_handler)) {
    pool_ = std::make_unique<sink::HandlerPool>(process.handler_threads);
  }
}

}  // namespace tgkeep::app
