#pragma once
// How long a supplier is left alone between two calls, so that updates gather. Pure, durations are arguments.

#include <array>
#include <cstddef>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// Learns from the last 16 calls how long one update takes to arrive: wait = max · tanh(100 · balance · mean
/// / max). Balance 0 (speed) never waits, 1 (less traffic) waits the most; what lies outside is clamped.
class Pacing {
 public:
  Pacing(double balance, Duration max);

  /// The wait after a call that brought `count` updates and took `took`, an own wait before it included; time
  /// spent handling is not. None when it brought 100 or more.
  Duration wait_after(std::size_t count, Duration took);

 private:
  static constexpr std::size_t kSamples = 16;
  static constexpr std::size_t kFullBatch = 100;

  double balance_;
  Duration max_;
  std::array<std::size_t, kSamples> counts_;
  std::array<Duration, kSamples> durations_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;  // the sums
  Duration duration_{};
};

}  // namespace tgkeep::rules
