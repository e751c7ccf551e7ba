#include "rules/retry.hpp"

#include <algorithm>

#include "rules/mutant.hpp"

namespace tgkeep::rules {

Duration backoff(Duration first, Duration cap, std::uint32_t attempt, double dice) {
  Duration delay = first;
  for (std::uint32_t step = 1; step < attempt && delay < cap; ++step) delay *= 2;
  delay = std::min(delay, cap);
  return std::chrono::duration_cast<Duration>(delay * (1.0 - dice / 4.0));
}

RetryDecision decide_retry(const RetryPolicy& policy, std::uint32_t attempt,
                           std::optional<Duration> failing_for, std::optional<Duration> asked, double dice) {
  if (attempt >= policy.max_attempts && !mutant("attempts_unbounded")) return RetryDecision::dead("attempts");
  if (attempt >= 2 && failing_for && *failing_for >= policy.max_block)
    return RetryDecision::dead("max_block");
  if (asked) return RetryDecision::again(std::max(*asked, Duration::zero()));
  return RetryDecision::again(backoff(policy.first_delay, policy.max_delay, attempt, dice));
}

}  // namespace tgkeep::rules
