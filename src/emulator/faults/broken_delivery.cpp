#include "emulator/faults/broken_delivery.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "loop/event.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

constexpr auto tuple = asio::as_tuple(asio::use_awaitable);

http::ClientResult ended(const char* words) {
  return http::ClientError(http::ClientError::Kind::maybe_sent, words);
}

std::string bytes_of(const telegram::WebhookUrl& url, const http::ClientRequest& request) {
  const std::size_t path = url.text.find('/', url.text.find("://") + 3);
  std::string text = "POST ";
  text += path == std::string::npos ? "/" : url.text.substr(path);
  text += " HTTP/1.1\r\nHost: " + url.host + ":" + std::to_string(url.port) + "\r\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
  text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n";
  if (request.body.empty()) return text;
  return text + request.body;
}

/// How many of the request's bytes leave.
std::size_t sent_part(WebhookFault fault, std::size_t all, std::size_t body) {
  if (fault == WebhookFault::tls_failure) return 0;
  if (fault == WebhookFault::reset_before_body) return all - body;
  if (fault == WebhookFault::reset_mid_body) return all - body / 2;
  return all;
}

}  // namespace

bool breaks_connection(WebhookFault fault) noexcept {
  return fault == WebhookFault::refused || fault == WebhookFault::unreachable ||
         fault == WebhookFault::tls_failure || fault == WebhookFault::reset_before_body ||
         fault == WebhookFault::reset_mid_body || fault == WebhookFault::reset_after_body ||
         fault == WebhookFault::close_after_body;
}

asio::awaitable<http::ClientResult> break_delivery(Clock& clock, Duration deadline, WebhookFault fault,
                                                   telegram::WebhookUrl url, http::ClientRequest request) {
  if (fault == WebhookFault::refused) co_return ended("Connection refused");
  if (fault == WebhookFault::unreachable) {
    co_await loop::sleep_for(clock, deadline);
    co_return ended("Connection timed out");
  }
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const std::string port = std::to_string(url.port);
  const auto [unresolved, found] = co_await resolver.async_resolve(url.host, port, tuple);
  if (unresolved || found.empty()) co_return ended("Failed to resolve host");
  tcp::socket socket(executor);
  const tcp::endpoint endpoint = found.begin()->endpoint();
  const auto [refused] = co_await socket.async_connect(endpoint, tuple);
  if (refused) co_return ended("Connection refused");
  const std::string bytes = bytes_of(url, request);
  const std::size_t part = sent_part(fault, bytes.size(), request.body.size());
  // There is no handshake here; a few bytes that are none break it off.
  const std::string sent = url.secure ? std::string("no handshake\r\n\r\n") : bytes.substr(0, part);
  co_await asio::async_write(socket, asio::buffer(sent), tuple);
  boost::system::error_code ignored;
  if (fault == WebhookFault::close_after_body) {
    socket.shutdown(tcp::socket::shutdown_both, ignored);
    co_return ended("Connection closed");
  }
  if (url.secure || fault == WebhookFault::tls_failure) co_return ended("SSL error {handshake failure}");
  socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
  co_return ended("Connection reset by peer");
}

}  // namespace tgkeep::emulator
