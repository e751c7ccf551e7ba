#include "prove/face_place.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace tgkeep::prove {

asio::awaitable<bool> FacePlace::lives_on(std::int64_t life) const {
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), port_);
  asio::ip::tcp::socket probe(loop);
  boost::system::error_code error;
  co_await probe.async_connect(place, asio::redirect_error(asio::use_awaitable, error));
  co_return !error && page_.lives == life;
}

}  // namespace tgkeep::prove
