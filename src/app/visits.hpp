#pragma once
// Who is inside a bot's rooms from outside: webhook requests, settlements, questions of operators. The rooms
// are taken down only when all have left.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <list>
#include <tgkeep/clock.hpp>
#include <utility>

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
  /// The same, until then at most; false when somebody was inside still.
  boost::asio::awaitable<bool> wait_until_empty(Clock& clock, MonoTime until) {
    while (inside_ > 0 && !given_up_ && clock.mono() < until) co_await changed_.wait_until(clock, until);
    co_return inside_ == 0 || given_up_;
  }
  /// Shows those the door that can be made to leave; returns how many.
  std::size_t break_off() {
    const std::list<std::function<void()>> all = breakable_;  // they leave the list meanwhile
    for (const std::function<void()>& one : all) one();
    return all.size();
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
  std::list<std::function<void()>> breakable_;
  loop::Event changed_;
};

/// One visit. Ask `open` before.
class Visit {
 public:
  explicit Visit(Visits& visits) : visits_(visits), place_(visits.breakable_.end()) { ++visits_.inside_; }
  /// `break_off` ends it soon, and no other one.
  Visit(Visits& visits, std::function<void()> break_off) : Visit(visits) {
    place_ = visits_.breakable_.insert(visits_.breakable_.end(), std::move(break_off));
  }
  ~Visit() {
    if (place_ != visits_.breakable_.end()) visits_.breakable_.erase(place_);
    --visits_.inside_;
    if (visits_.inside_ == 0 && !visits_.open_) visits_.changed_.notify();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Visits& visits_;
  std::list<std::function<void()>>::iterator place_;
};

}  // namespace tgkeep::app
