#pragma once
// Durations that can be added to a time.

#include <algorithm>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// Between nothing and a century: `Duration::max()`, meant as "for ever", would not fit into a time point.
constexpr Duration bounded(Duration duration) {
  return std::clamp<Duration>(duration, Duration::zero(), std::chrono::hours(24 * 36500));
}

}  // namespace tgkeep::rules
