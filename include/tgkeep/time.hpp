#pragma once
// The two clocks as types, so that they can't be mixed: monotonic for waiting, wall for what is stored.

#include <chrono>
#include <cstdint>

namespace tgkeep {

using Duration = std::chrono::nanoseconds;
/// Monotonic time: for timers and timeouts inside one process.
using MonoTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;
/// Wall time to the millisecond: for what survives a restart (due times, receipt) and for display.
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// Milliseconds since the Unix epoch, as stored and shown.
inline std::int64_t to_millis(WallTime time) noexcept {
  return time.time_since_epoch().count();
}
inline WallTime from_millis(std::int64_t millis) noexcept {
  return WallTime(std::chrono::milliseconds(millis));
}

}  // namespace tgkeep
