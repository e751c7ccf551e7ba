#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

using namespace std::chrono_literals;

class HttpServerStop : public HttpServer {
 protected:
  void stop_when(const asio::steady_timer::time_point& when) {
    alarm.expires_at(when);
    alarm.async_wait(
        [this](const boost::system::error_code&) { asio::co_spawn(io, server->stop(0s), asio::detached); });
  }
  asio::steady_timer alarm{io};
};

// The loop has been busy: when it looks again, the stop and the next look at the deadlines are both due.
TEST_F(HttpServerStop, leaves_no_timer_behind_that_keeps_the_loop_alive) {
  options.idle_timeout = 20ms;  // looked at every 5 ms
  listen_with(desk.handler());
  const auto begin = std::chrono::steady_clock::now();
  stop_when(begin);
  while (std::chrono::steady_clock::now() < begin + 10ms) {
  }
  io.poll();
  io.poll();
  EXPECT_TRUE(io.stopped());
}

}  // namespace
}  // namespace tgkeep::http
