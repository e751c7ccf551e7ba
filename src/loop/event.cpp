#include "loop/event.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace tgkeep::loop {

namespace {
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
}

Event::Event(const asio::any_io_executor& executor)
    : timer_(executor, asio::steady_timer::time_point::max()) {}

void Event::notify() {
  if (std::exchange(notified_, true)) return;  // whoever waits is on its way already
  timer_.cancel();
}

// The timer is cancelled by `notify` and by the alarm; only a cancellation of the coroutine itself is an
// error.
asio::awaitable<void> Event::pause() {
  co_await timer_.async_wait(kTuple);
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
}

asio::awaitable<void> Event::wait() {
  if (!notified_) co_await pause();
  notified_ = false;
}

asio::awaitable<bool> Event::wait_until(Clock& clock, MonoTime until) {
  bool expired = false;
  auto wake = [this, &expired] {
    expired = true;
    timer_.cancel();
  };
  const auto alarm = clock.at(until, wake);
  if (!notified_) co_await pause();
  const bool notified = notified_;
  notified_ = false;
  co_return notified || !expired;
}

asio::awaitable<void> sleep_until(Clock& clock, MonoTime until) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  Event expired(executor);
  const auto alarm = clock.at(until, [&expired] { expired.notify(); });
  co_await expired.wait();
}

asio::awaitable<void> sleep_for(Clock& clock, Duration duration) {
  const MonoTime until = clock.mono() + duration;
  co_await sleep_until(clock, until);
}

}  // namespace tgkeep::loop
