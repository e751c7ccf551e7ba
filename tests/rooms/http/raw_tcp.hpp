#pragma once
// A bare TCP end for tests: says and hears exact bytes. Throws when the other side ends early.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace tgkeep::test {

namespace asio = boost::asio;

class RawTcp {
 public:
  explicit RawTcp(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}
  explicit RawTcp(asio::io_context& io) : socket_(io) {}
  asio::awaitable<void> connect(std::uint16_t port);
  asio::awaitable<void> send(std::string bytes);
  /// One HTTP message: head, and as much body as Content-Length says.
  asio::awaitable<std::string> read_message();
  /// Everything until the other side closes or resets.
  asio::awaitable<std::string> read_to_end();
  void close();
  /// Closes so that the other side sees a reset.
  void reset();
  void shutdown_send();
  asio::ip::tcp::socket& socket() { return socket_; }

 private:
  asio::ip::tcp::socket socket_;
  std::string rest_;
};

/// Listens on 127.0.0.1 for RawTcp ends.
class RawListener {
 public:
  explicit RawListener(asio::io_context& io)
      : acceptor_(io, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {}
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  asio::awaitable<RawTcp> accept();
  void close() { acceptor_.close(); }

 private:
  asio::ip::tcp::acceptor acceptor_;
};

/// The status number of an HTTP answer, 0 when it is none.
int status_of(std::string_view answer);

}  // namespace tgkeep::test
