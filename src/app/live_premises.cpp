#include "app/live_premises.hpp"

namespace tgkeep::app {

asio::awaitable<Result<void>> LivePremises::drain() {
  co_await fleet_.stop_receiving();
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
