#include "sink/push_gate.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

namespace tgkeep::sink {

asio::awaitable<bool> PushGate::enter() {
  if (closed_) co_return false;
  if (open_ < limit_) {
    ++open_;
    co_return true;
  }
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const auto waiter = line_.emplace(line_.end(), executor);
  bool cancelled = false;
  try {
    co_await waiter->called.wait();
  } catch (const boost::system::system_error&) {
    cancelled = true;
  }
  // Called and cancelled at once: the place goes to the next in line.
  const bool let_in = waiter->let_in;
  const bool in_vain = cancelled || closed_;
  line_.erase(waiter);
  if (let_in && in_vain) leave();
  co_return let_in && !in_vain;
}

void PushGate::close() {
  closed_ = true;
  for (Waiter& waiter : line_) waiter.called.notify();
}

void PushGate::leave() {
  // A place is handed on, never free for a moment: nobody passes the line.
  for (Waiter& waiter : line_) {
    if (waiter.let_in) continue;
    waiter.let_in = true;
    waiter.called.notify();
    return;
  }
  --open_;
}

}  // namespace tgkeep::sink
