// A bot for tests, told by the text of each message what to do. It says on stderr where it is.

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tgkeep/gateway.hpp>

#include "app/watchdog.hpp"

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

asio::awaitable<tgkeep::Outcome> handle(tgkeep::Context update) {
  const json::value body = json::parse(std::string(update.raw()));
  const std::string text(body.at("message").at("text").as_string());
  std::fprintf(stderr, "handling %s attempt=%u repeated=%d\n", text.c_str(), update.attempt(),
               update.repeated());
  if (text == "ask") {
    // Keeps its thread until the test says a line.
    std::string line;
    std::getline(std::cin, line);
  } else if (text == "hold") {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    asio::steady_timer never(executor, asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
  }
  tgkeep::Outcome outcome = tgkeep::Outcome::done();
  const json::value answer = {{"chat_id", body.at("message").at("chat").at("id")}, {"text", text}};
  outcome.calls.emplace_back("sendMessage", json::serialize(answer));
  co_return outcome;
}

}  // namespace

int main() {
  tgkeep::GatewayOptions options = tgkeep::GatewayOptions::from_environment();
  if (std::getenv("TEST_BOT_SHORT_DRAIN") != nullptr) options.drain = std::chrono::milliseconds(1);
  // As the program has it, with less patience.
  tgkeep::app::Watchdog watchdog;
  if (std::getenv("TEST_BOT_WATCHDOG") != nullptr) {
    options.on_stopping = [&watchdog] {
      watchdog.arm(std::chrono::milliseconds(200), static_cast<int>(tgkeep::ExitCode::cut_off));
    };
  }
  return tgkeep::Gateway(options, handle).run();
}
