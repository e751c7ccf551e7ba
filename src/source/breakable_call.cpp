#include "source/breakable_call.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "loop/task_group.hpp"

namespace tgkeep::source {

asio::awaitable<void> BreakableCall::make(ApiRequest request) {
  answer_ = co_await api_.call(std::move(request));
  changed_.notify_all();
}

// The cancellation of the caller must still be seen by it: its state is not reset, and waiting goes on in
// spite of it until the call is over.
asio::awaitable<std::optional<ApiResult>> BreakableCall::call(ApiRequest request) {
  const auto executor = co_await asio::this_coro::executor;
  loop::Event changed(executor);
  loop::TaskGroup task(executor, log_);
  answer_.reset();
  given_up_ = false;
  const loop::EventList::Place known(changed_, changed);
  task.spawn("poll", make(std::move(request)));
  bool cancelled = false;
  try {
    while (!answer_ && !given_up_) co_await changed.wait();
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::operation_aborted) throw;
    cancelled = true;
  }
  std::optional<ApiResult> answer = std::exchange(answer_, std::nullopt);
  co_await asio::this_coro::throw_if_cancelled(false);
  if (!answer) task.cancel();
  while (task.size() > 0) {
    try {
      co_await task.join();
    } catch (const boost::system::system_error& error) {
      if (error.code() != asio::error::operation_aborted) throw;
      cancelled = true;
    }
  }
  co_await asio::this_coro::throw_if_cancelled(true);
  if (cancelled) throw boost::system::system_error(asio::error::operation_aborted);
  co_return answer;
}

void BreakableCall::give_up() {
  given_up_ = true;
  changed_.notify_all();
}

}  // namespace tgkeep::source
