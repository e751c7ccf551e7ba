#pragma once
// How long something takes, as counts in buckets: what metrics and the dashboard need, at a few nanoseconds a
// sample.

#include <array>
#include <cstddef>
#include <cstdint>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep {

/// A histogram with fixed buckets, 1 ms to 10 min. Not for several threads.
class LatencyHistogram {
 public:
  /// Upper bounds of the buckets, inclusive, in seconds; one more bucket takes what is longer.
  static constexpr std::array<double, 18> kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                  1,     2.5,    5,     10,   30,    60,   120, 300,  600};
  LatencyHistogram() = default;
  /// Counts one sample; a negative one counts as 0.
  void add(Duration sample) noexcept {
    const double seconds = sample.count() < 0 ? 0 : static_cast<double>(sample.count()) * 1e-9;
    std::size_t bucket = 0;
    while (bucket < kBounds.size() && seconds > kBounds[bucket]) ++bucket;
    ++counts_[bucket];
    sum_ += seconds;
  }
  /// Samples per bucket, not cumulative; the last one is of those above all bounds.
  const std::array<std::uint64_t, kBounds.size() + 1>& counts() const noexcept { return counts_; }
  /// Sum of all samples, in seconds.
  double sum() const noexcept { return sum_; }
  /// How many samples.
  std::uint64_t count() const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t bucket : counts_) all += bucket;
    return all;
  }

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};
  double sum_ = 0;
};

static_assert(!std::is_aggregate_v<LatencyHistogram>);

}  // namespace tgkeep
