#pragma once
// The times in which delivery as a whole stood still: they are no item's, so the clocks of retries leave them
// out (P7). Pure.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <tgkeep/time.hpp>
#include <utility>

namespace tgkeep::rules {

/// Stands still while there is at least one cause.
class StandStill {
 public:
  /// Why: the target fails or can't be reached; a person paused it.
  enum class Cause : std::uint8_t { target, person };

  /// Does nothing when this cause is there already.
  void begin(Cause cause, MonoTime now);
  /// Does nothing when this cause is not there.
  void end(Cause cause, MonoTime now);
  bool has(Cause cause) const noexcept { return causes_[index(cause)]; }

  /// How much of the time from `since` to `now` it stood still. Remembers a day.
  Duration between(MonoTime since, MonoTime now) const;

 private:
  static std::size_t index(Cause cause) noexcept { return static_cast<std::size_t>(cause); }

  std::array<bool, 2> causes_{};
  std::optional<MonoTime> since_;
  std::deque<std::pair<MonoTime, MonoTime>> past_;
};

}  // namespace tgkeep::rules
