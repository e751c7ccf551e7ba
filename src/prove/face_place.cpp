#include "prove/face_place.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "loop/event.hpp"

namespace tgkeep::prove {

namespace {
constexpr int kProbes = 5;
constexpr Duration kBetween = std::chrono::milliseconds(200);
}  // namespace

asio::awaitable<bool> FacePlace::lives_on(std::int64_t life) const {
  for (int probe = 0; probe < kProbes; ++probe) {
    const bool takes = co_await takes_connections();
    if (!takes || page_.lives != life) co_return false;
    co_await loop::sleep_for(clock_, kBetween);
  }
  co_return true;
}

asio::awaitable<bool> FacePlace::takes_connections() const {
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), port_);
  asio::ip::tcp::socket probe(loop);
  boost::system::error_code error;
  co_await probe.async_connect(place, asio::redirect_error(asio::use_awaitable, error));
  co_return !error;
}

}  // namespace tgkeep::prove
