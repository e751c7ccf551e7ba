// Stops without losing anything: SIGINT (Ctrl-C) and SIGTERM let what runs finish. TGKEEP_TOKEN=…
// ./06_graceful_stop

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <tgkeep/run.hpp>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace std::chrono_literals;

// A handler that takes its time.
asio::awaitable<tgkeep::Outcome> think(tgkeep::Context update) {
  std::fprintf(stderr, "thinking about update %lld\n", static_cast<long long>(update.update_id().value()));
  asio::steady_timer pause(co_await asio::this_coro::executor, 1s);
  co_await pause.async_wait(asio::use_awaitable);
  if (update.kind() == "message") {
    const json::value body = json::parse(std::string(update.raw()));
    const json::value answer = {{"chat_id", body.at("message").at("chat").at("id")}, {"text", "Hm."}};
    update.leave("sendMessage", json::serialize(answer));
  }
  co_return tgkeep::Outcome::done();
}

int main() {
  tgkeep::RunnerHandle bot = tgkeep::run(tgkeep::GatewayOptions::from_environment(), think);
  bot.stop_on_signals(10s);  // the one line; what is not finished after 10 s is handed over at the next start
  return static_cast<int>(bot.wait());
}
