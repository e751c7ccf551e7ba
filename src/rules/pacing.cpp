#include "rules/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace tgkeep::rules {

Pacing::Pacing(double balance, Duration max)
    : balance_(std::isnan(balance) ? 0 : std::clamp(balance, 0.0, 1.0)),
      max_(std::max(max, Duration::zero())) {
  // Before anything is known: full batches that come at once.
  counts_.fill(kFullBatch);
  durations_.fill(std::chrono::milliseconds(1));
  count_ = kSamples * kFullBatch;
  duration_ = kSamples * Duration(std::chrono::milliseconds(1));
}

Duration Pacing::wait_after(std::size_t count, Duration took) {
  if (balance_ == 0 || max_ == Duration::zero()) return Duration::zero();
  count_ += count - counts_[next_];
  duration_ += took - durations_[next_];
  counts_[next_] = count;
  durations_[next_] = took;
  next_ = (next_ + 1) % kSamples;
  if (count >= kFullBatch) return Duration::zero();

  const auto max = static_cast<double>(max_.count());
  // None at all for 16 calls: as slow as can be.
  double share = 1;
  if (count_ > 0) {
    const double mean = static_cast<double>(duration_.count()) / static_cast<double>(count_);
    share = std::tanh(100 * balance_ * mean / max);
  }
  return Duration(static_cast<Duration::rep>(max * share));
}

}  // namespace tgkeep::rules
