#pragma once
// Who is inside a bot's rooms from outside: webhook requests, settlements, questions of operators. The rooms
// are taken down only when all have left.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>

#include "loop/event.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. Must outlive its visits.
class Visits {
 public:
  explicit Visits(const boost::asio::any_io_executor& loop) : changed_(loop) {}
  Visits(const Visits&) = delete;
  Visits& operator=(const Visits&) = delete;

  /// Lets nobody in any more; those inside stay.
  void close() { open_ = false; }
  bool open() const noexcept { return open_; }
  /// Returns when nobody is inside, or at once after `give_up`.
  boost::asio::awaitable<void> wait_until_empty() {
    while (inside_ > 0 && !given_up_) co_await changed_.wait();
  }
  /// Ends the wait for those inside.
  void give_up() {
    given_up_ = true;
    changed_.notify();
  }

 private:
  friend class Visit;
  bool open_ = true;
  bool given_up_ = false;
  std::size_t inside_ = 0;
  loop::Event changed_;
};

/// One visit. Ask `open` before.
class Visit {
 public:
  explicit Visit(Visits& visits) : visits_(visits) { ++visits_.inside_; }
  ~Visit() {
    --visits_.inside_;
    if (visits_.inside_ == 0 && !visits_.open_) visits_.changed_.notify();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Visits& visits_;
};

}  // namespace tgkeep::app
