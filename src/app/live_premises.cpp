#include "app/live_premises.hpp"

#include <boost/asio/this_coro.hpp>

namespace tgkeep::app {

asio::awaitable<Result<void>> LivePremises::drain() {
  // Whoever asked may hang up: it is for all bots or for none.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await fleet_.stop_receiving();
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_return Result<void>();
}

asio::awaitable<Result<void>> LivePremises::resume_receiving() {
  if (stopping_) co_return Error(Errc::misuse, "tgkeep is stopping: it receives again after its next start");
  fleet_.resume_receiving();
  co_return Result<void>();
}

Result<void> LivePremises::stop() {
  stop_();
  return Result<void>();
}

}  // namespace tgkeep::app
