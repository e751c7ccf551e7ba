#pragma once
// When a failed delivery is tried again, and when that ends (P6, P7). Pure.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// Limits of retrying; docs and defaults in RunnerOptions.
class RetryPolicy {
 public:
  RetryPolicy() = default;
  Duration first_delay = std::chrono::seconds(1);
  Duration max_delay = std::chrono::minutes(3);
  std::uint32_t max_attempts = 12;
  Duration max_block = std::chrono::minutes(15);
};

/// Either a delay, or the reason for which it is dead-lettered.
class RetryDecision {
 public:
  static RetryDecision again(Duration delay) { return RetryDecision(delay, {}); }
  static RetryDecision dead(std::string_view reason) { return RetryDecision({}, reason); }
  bool is_dead() const noexcept { return !reason_.empty(); }
  Duration delay() const noexcept { return delay_; }
  std::string_view reason() const noexcept { return reason_; }

 private:
  RetryDecision(Duration delay, std::string_view reason) : delay_(delay), reason_(reason) {}
  Duration delay_;
  std::string_view reason_;
};

/// Decides after failed attempt number `attempt` (from 1). `failing_for` is the time since its first failure,
/// absent when this is it; `asked` is the handler's own delay, obeyed in full; `dice` is uniform in [0, 1)
/// and takes up to a quarter off the delay.
RetryDecision decide_retry(const RetryPolicy& policy, std::uint32_t attempt,
                           std::optional<Duration> failing_for, std::optional<Duration> asked, double dice);

/// first · 2^(attempt − 1), capped, minus the jitter.
Duration backoff(Duration first, Duration cap, std::uint32_t attempt, double dice);

}  // namespace tgkeep::rules
