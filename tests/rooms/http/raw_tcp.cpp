#include "rooms/http/raw_tcp.hpp"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <cstdlib>
#include <stdexcept>

namespace tgkeep::test {

namespace {
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
}

asio::awaitable<void> RawTcp::connect(std::uint16_t port) {
  const asio::ip::tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  co_await socket_.async_connect(endpoint, asio::use_awaitable);
}

asio::awaitable<void> RawTcp::send(std::string bytes) {
  co_await asio::async_write(socket_, asio::buffer(bytes), asio::use_awaitable);
}

asio::awaitable<std::string> RawTcp::read_message() {
  std::size_t whole = std::string::npos;
  std::array<char, 4096> chunk;
  for (;;) {
    const std::size_t head = rest_.find("\r\n\r\n");
    if (head != std::string::npos) {
      const std::size_t length = rest_.find("Content-Length: ");
      whole = head + 4;
      if (length < head) whole += std::strtoull(rest_.c_str() + length + 16, nullptr, 10);
      if (rest_.size() >= whole) break;
    }
    const std::size_t size = co_await socket_.async_read_some(asio::buffer(chunk), asio::use_awaitable);
    rest_.append(chunk.data(), size);
  }
  std::string message = rest_.substr(0, whole);
  rest_.erase(0, whole);
  co_return message;
}

asio::awaitable<std::string> RawTcp::read_to_end() {
  std::string all = std::move(rest_);
  rest_.clear();
  std::array<char, 4096> chunk;
  for (;;) {
    const auto [error, size] = co_await socket_.async_read_some(asio::buffer(chunk), kTuple);
    all.append(chunk.data(), size);
    if (error) break;
  }
  co_return all;
}

void RawTcp::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void RawTcp::reset() {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

void RawTcp::shutdown_send() {
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send);
}

asio::awaitable<RawTcp> RawListener::accept() {
  asio::ip::tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
  RawTcp end(std::move(socket));
  co_return end;
}

int status_of(std::string_view answer) {
  int status = 0;
  if (answer.starts_with("HTTP/1.1 ")) std::from_chars(answer.data() + 9, answer.data() + 12, status);
  return status;
}

}  // namespace tgkeep::test
