#include "runner/worker.hpp"

#include <boost/assert.hpp>
#include <utility>

namespace tgkeep::runner {

asio::awaitable<void> Worker::rest() {
  auto initiate = [this](Rested handler) { rested_.emplace(std::move(handler)); };
  co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(initiate, asio::use_awaitable);
}

void Worker::wake() {
  BOOST_ASSERT_MSG(rested_, "only a resting worker can be woken");
  Rested rested = std::move(*rested_);
  rested_.reset();
  rested();
}

void Worker::cancel() {
  if (begun) signal.emit(asio::cancellation_type::terminal);
}

}  // namespace tgkeep::runner
