#pragma once
// A server under test with a handler whose ways the target chooses.

#include <gtest/gtest.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>
#include <string>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "rooms/http/raw_tcp.hpp"
#include "support/run.hpp"

namespace tgkeep::http {

inline asio::awaitable<ServerReply> echo(ServerRequest request) {
  ServerReply reply(200, request.method + " " + request.target + " " + request.body, "text/plain");
  co_return reply;
}

/// A handler whose ways the target chooses.
class Desk {
 public:
  explicit Desk(asio::io_context& io)
      : arrived(io.get_executor()), ended(io.get_executor()), go(io.get_executor()) {}

  asio::awaitable<ServerReply> serve(ServerRequest request) {
    ++served;
    last_size = request.body.size();
    if (request.target == "/throw") throw std::runtime_error("broken");
    if (request.target == "/uncancellable") {
      co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    }
    if (request.target == "/wait") {
      arrived.notify();
      try {
        co_await go.wait();
      } catch (...) {
        ++cancelled;
        ended.notify();
        throw;
      }
    }
    ServerReply reply(200, request.target, "text/plain");
    if (request.target == "/hang-up") reply.hang_up = true;
    if (request.target == "/split") reply.headers.emplace_back("X", "a\r\nSet-Cookie: b");
    if (request.target == "/large") reply.body.assign(8U << 20, 'x');
    if (request.target == "/nothing") reply = ServerReply(204);
    co_return reply;
  }

  ServerHandler handler() {
    return [this](ServerRequest request) { return serve(std::move(request)); };
  }

  loop::Event arrived;
  loop::Event ended;
  loop::Event go;
  int served = 0;
  std::size_t last_size = 0;
  int cancelled = 0;
};

class HttpServer : public ::testing::Test {
 protected:
  void listen_with(ServerHandler handler) {
    server = listen(io.get_executor(), options, std::move(handler), Log()).value();
  }
  void TearDown() override {
    if (server) test::run(io, server->stop(std::chrono::seconds(0)));
  }
  asio::awaitable<std::string> ask(std::string request) {
    test::RawTcp client(io);
    co_await client.connect(server->port());
    co_await client.send(std::move(request));
    std::string answer = co_await client.read_to_end();
    co_return answer;
  }
  /// As `ask`, and says that nothing more comes.
  asio::awaitable<std::string> send_and_end(std::string bytes) {
    test::RawTcp client(io);
    co_await client.connect(server->port());
    co_await client.send(std::move(bytes));
    boost::system::error_code gone;
    client.socket().shutdown(asio::ip::tcp::socket::shutdown_send, gone);
    std::string answer = co_await client.read_to_end();
    co_return answer;
  }
  std::string asked(std::string request) { return test::run(io, ask(std::move(request))); }

  asio::io_context io{1};
  Desk desk{io};
  ServerOptions options;
  std::unique_ptr<Server> server;
};

inline const std::string kHost = "Host: x\r\n";
inline const std::string kLast = "Host: x\r\nConnection: close\r\n\r\n";

}  // namespace tgkeep::http
