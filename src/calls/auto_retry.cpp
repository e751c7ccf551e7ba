#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <optional>
#include <tgkeep/transformer.hpp>
#include <utility>

#include "calls/retry_plan.hpp"
#include "loop/event.hpp"

namespace tgkeep {

namespace {

/// False when the call was cancelled meanwhile.
asio::awaitable<bool> wait(Clock& clock, Duration duration) {
  bool waited = true;
  try {
    co_await loop::sleep_for(clock, duration);
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::operation_aborted) throw;
    waited = false;
  }
  co_return waited;
}

asio::awaitable<ApiResult> call_until_it_ends(AutoRetryOptions options, ApiNext next, ApiRequest request) {
  calls::RetryPlan plan(options, request.repeatable);
  for (;;) {
    ApiRequest attempt = request;
    ApiResult answer = co_await next(std::move(attempt));
    if (answer) co_return answer;
    const std::optional<Duration> pause = plan.after(answer.error());
    if (!pause) co_return answer;
    const bool waited = co_await wait(next.clock(), *pause);
    if (!waited) co_return answer;
  }
}

}  // namespace

ApiTransformer auto_retry(AutoRetryOptions options) {
  return [options](ApiNext next, ApiRequest request) {
    if (request.from_outbox) return next(std::move(request));
    return call_until_it_ends(options, std::move(next), std::move(request));
  };
}

}  // namespace tgkeep
