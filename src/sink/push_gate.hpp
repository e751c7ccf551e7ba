#pragma once
// How many requests may be open at once; the others wait in line.

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <list>

#include "loop/event.hpp"

namespace tgkeep::sink {

namespace asio = boost::asio;

/// First come, first served. Everything on the loop's thread.
class PushGate {
 public:
  /// 0 is taken as 1: a gate that lets nobody in would be a standstill.
  explicit PushGate(std::size_t limit) : limit_(limit == 0 ? 1 : limit) {}
  ~PushGate() = default;
  PushGate(const PushGate&) = delete;
  PushGate& operator=(const PushGate&) = delete;

  /// Waits for a place. False when cancelled or closed: then none was taken.
  asio::awaitable<bool> enter();
  /// Gives a place back.
  void leave();

  /// Nobody gets in any more, who waits neither; who is inside stays.
  void close();

  std::size_t open() const noexcept { return open_; }
  std::size_t waiting() const noexcept { return line_.size(); }

 private:
  struct Waiter {
    explicit Waiter(const asio::any_io_executor& executor) : called(executor) {}
    loop::Event called;
    bool let_in = false;
  };

  std::size_t limit_;
  std::size_t open_ = 0;
  bool closed_ = false;
  std::list<Waiter> line_;
};

/// A place taken with `enter`, given back once.
class GatePlace {
 public:
  explicit GatePlace(PushGate& gate) : gate_(&gate) {}
  ~GatePlace() { leave(); }
  GatePlace(const GatePlace&) = delete;
  GatePlace& operator=(const GatePlace&) = delete;
  void leave() {
    if (gate_ != nullptr) gate_->leave();
    gate_ = nullptr;
  }

 private:
  PushGate* gate_;
};

}  // namespace tgkeep::sink
