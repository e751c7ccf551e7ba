#pragma once
// Where a face is, as a bot in another process sees it.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <tgkeep/clock.hpp>

#include "prove/control.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;

/// Everything on the loop's thread. What it is given must outlive it.
class FacePlace {
 public:
  FacePlace(Clock& clock, std::uint16_t port, const ControlPage& page)
      : clock_(clock), port_(port), page_(page) {}
  FacePlace(const FacePlace&) = delete;
  FacePlace& operator=(const FacePlace&) = delete;

  /// http://127.0.0.1:PORT
  std::string root() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// Which of its processes there is now.
  std::int64_t life() const noexcept { return page_.lives; }
  /// Whether that one goes on taking connections. Takes a moment: a process that ends may close its listener
  /// after what it has accepted.
  asio::awaitable<bool> lives_on(std::int64_t life) const;

 private:
  asio::awaitable<bool> takes_connections() const;

  Clock& clock_;
  std::uint16_t port_;
  const ControlPage& page_;
};

}  // namespace tgkeep::prove
