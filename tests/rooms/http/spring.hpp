#pragma once
// A body that comes as a test wants it.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "http/client.hpp"
#include "loop/event.hpp"

namespace tgkeep::http {

/// Gives `pieces`, then waits for `more` each time it has none. "throw" throws.
class Spring {
 public:
  explicit Spring(asio::io_context& io) : more(io.get_executor()), ended(io.get_executor()) {}
  asio::awaitable<std::string> next() {
    ++asked;
    while (pieces.empty()) {
      try {
        co_await more.wait();
      } catch (...) {
        ++cancelled;
        ended.notify();
        throw;
      }
    }
    std::string piece = std::move(pieces.front());
    pieces.erase(pieces.begin());
    if (piece == "throw") throw std::runtime_error("dry");
    co_return piece;
  }
  BodySource source() {
    return [this] { return next(); };
  }

  std::vector<std::string> pieces;
  loop::Event more;
  loop::Event ended;  ///< when it was cancelled
  int asked = 0;
  int cancelled = 0;
};

}  // namespace tgkeep::http
