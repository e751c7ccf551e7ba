#pragma once
// Whether a failed call is repeated and when: a decision without clock and loop.

#include <optional>
#include <tgkeep/transformer.hpp>
#include <type_traits>

namespace tgkeep::calls {

/// Of one call.
class RetryPlan {
 public:
  RetryPlan(const AutoRetryOptions& options, bool repeatable)
      : options_(options),
        may_happen_twice_(repeatable || options.resend_doubtful),
        delay_(options.first_delay) {}

  /// How long to wait before the next attempt; nothing: give the error back.
  std::optional<Duration> after(const ApiError& error);

 private:
  std::optional<Duration> wait_for(const ApiError& error);
  Duration growing_delay();

  AutoRetryOptions options_;
  bool may_happen_twice_;
  Duration delay_;
  int retries_ = 0;
};

static_assert(!std::is_aggregate_v<RetryPlan>);

}  // namespace tgkeep::calls
