#include "prove/child_bot.hpp"

#include <csignal>
#include <cstdlib>
#include <vector>

#include "loop/event.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::prove {

namespace {

constexpr Duration kTick = std::chrono::milliseconds(3);

std::vector<std::string> all_kinds() {
  std::vector<std::string> kinds;
  for (const telegram::UpdateKind& kind : telegram::update_kinds()) kinds.emplace_back(kind.name);
  return kinds;
}

}  // namespace

GatewayOptions child_bot_options(const std::string& api_root, const std::string& folder) {
  const char* const token = std::getenv("TGKEEP_TOKEN");
  GatewayOptions options(token == nullptr ? "" : token);
  options.api_root = api_root;
  options.folder = folder;
  options.allowed_updates = all_kinds();
  return options;
}

void receive_at(GatewayOptions& options, std::uint16_t port, const std::string& secret) {
  WebhookSettings webhook;
  webhook.path = "/telegram";
  webhook.secrets = {secret};
  webhook.own = true;
  webhook.url = "http://127.0.0.1:" + std::to_string(port) + webhook.path;
  webhook.max_connections = 100;
  options.webhook = webhook;
  options.listen.port = port;
}

boost::asio::awaitable<std::optional<std::string>> stop_child(ChildProcess& child, Clock& clock,
                                                              Duration patience) {
  child.signal(SIGTERM);
  const MonoTime until = clock.mono() + patience;
  std::optional<std::string> end = child.ended();
  while (!end && clock.mono() < until) {
    co_await loop::sleep_for(clock, kTick);
    end = child.ended();
  }
  co_return end;
}

}  // namespace tgkeep::prove
