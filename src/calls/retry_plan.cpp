#include "calls/retry_plan.hpp"

#include <algorithm>

namespace tgkeep::calls {

namespace {

constexpr int kTooManyRequests = 429;

bool passes_by_itself(const ApiError& error, bool may_happen_twice) {
  switch (error.kind) {
    case ApiError::Kind::not_sent:
      return true;
    case ApiError::Kind::maybe_sent:
      return may_happen_twice;
    case ApiError::Kind::refused:
      return error.code == kTooManyRequests || error.retry_after.has_value();
  }
  return false;
}

}  // namespace

std::optional<Duration> RetryPlan::after(const ApiError& error) {
  if (retries_ >= options_.max_retries || !passes_by_itself(error, may_happen_twice_)) return std::nullopt;
  const std::optional<Duration> wait = wait_for(error);
  if (wait) ++retries_;
  return wait;
}

std::optional<Duration> RetryPlan::wait_for(const ApiError& error) {
  if (!error.retry_after) return growing_delay();
  // Asking earlier than told makes the flood wait longer, and waiting for hours is not for a handler.
  if (*error.retry_after > options_.max_retry_after) return std::nullopt;
  return *error.retry_after;
}

Duration RetryPlan::growing_delay() {
  const Duration now = std::min(delay_, options_.max_delay);
  delay_ = std::min(now * 2, options_.max_delay);
  return now;
}

}  // namespace tgkeep::calls
