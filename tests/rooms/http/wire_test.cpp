#include "http/wire.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>

#include "rooms/http/raw_tcp.hpp"
#include "support/run.hpp"

namespace tgkeep::http {
namespace {

using test::RawTcp;
using test::run;
using namespace std::chrono_literals;

TEST(HttpWire, gives_a_client_that_takes_nothing_more_time_for_a_large_answer_but_not_for_ever) {
  asio::io_context io{1};
  asio::ip::tcp::acceptor acceptor(io, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  RawTcp client(io);
  client.socket().open(asio::ip::tcp::v4());
  client.socket().set_option(asio::socket_base::receive_buffer_size(4096));
  run(io, client.connect(acceptor.local_endpoint().port()));
  asio::ip::tcp::socket accepted = acceptor.accept();
  accepted.set_option(asio::socket_base::send_buffer_size(4096));
  const auto wire = std::make_shared<Wire>(std::move(accepted), nullptr);
  const std::string body(1U << 20, 'x');
  bool ended = false;
  bool written = true;
  asio::co_spawn(io, wire->write("", body, 1s), [&](const std::exception_ptr&, bool whole) {
    written = whole;
    ended = true;
  });
  io.restart();
  while (io.poll() > 0) io.restart();
  ASSERT_FALSE(ended);
  const MonoTime now = std::chrono::steady_clock::now();
  wire->check_deadline(now + 30s);
  EXPECT_FALSE(wire->gone());
  wire->check_deadline(now + 100s);
  while (!ended) io.run_one();
  EXPECT_FALSE(written);
  EXPECT_TRUE(wire->gone());
}

}  // namespace
}  // namespace tgkeep::http
