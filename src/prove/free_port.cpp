#include "prove/free_port.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>

namespace tgkeep::prove {

namespace {

namespace asio = boost::asio;

constexpr std::uint16_t first_port = 20'000;
constexpr std::uint16_t ports = 10'000;

bool is_free(asio::io_context& io, std::uint16_t port) {
  const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), port);
  asio::ip::tcp::acceptor acceptor(io, place.protocol());
  boost::system::error_code error;
  acceptor.bind(place, error);
  if (!error) acceptor.listen(1, error);
  return !error;
}

}  // namespace

Result<std::uint16_t> find_port(std::initializer_list<std::uint16_t> taken) {
  asio::io_context io(1);
  const auto start = static_cast<std::uint16_t>(::getpid() * 7 % ports);
  for (std::uint16_t i = 0; i < ports; ++i) {
    const auto port = static_cast<std::uint16_t>(first_port + (start + i) % ports);
    if (std::ranges::find(taken, port) == taken.end() && is_free(io, port)) return port;
  }
  return Error(Errc::bad_config, "no port from 20000 to 29999 of 127.0.0.1 is free");
}

}  // namespace tgkeep::prove
