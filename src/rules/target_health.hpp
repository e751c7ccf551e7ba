#pragma once
// Whether the target as a whole (a bot's server, Telegram) takes deliveries, and when to probe it if not
// (P7). Pure.

#include <cstddef>
#include <optional>
#include <set>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// When a target is paused and how it is probed.
class TargetPolicy {
 public:
  TargetPolicy() = default;
  std::size_t failures = 10;  ///< in a row …
  std::size_t keys = 3;       ///< … over at least so many keys: else it may be these keys' own fault
  Duration first_probe = std::chrono::seconds(1);  ///< doubling
  Duration max_probe = std::chrono::seconds(30);
};

/// Paused after so many failures without a success, or at once when it can't be reached. Paused, it is probed
/// with one delivery at a time; the first that is answered ends the pause. The clocks of retries stand still
/// meanwhile (StandStill).
class TargetHealth {
 public:
  explicit TargetHealth(TargetPolicy policy) : policy_(policy) {}

  /// A delivery ended and the target had answered, whatever it said. True: this ended a pause.
  bool answered();
  /// One reached it and brought no proper answer. True: this began a pause, or ended that of an unreachable
  /// one.
  bool failed(std::optional<KeyHash> key, MonoTime now);
  /// Nothing of it arrived. True: this began a pause.
  bool unreachable(MonoTime now);

  bool paused() const noexcept { return paused_; }
  bool may_probe(MonoTime now) const noexcept { return paused() && now >= probe_at_; }
  /// When to probe next; nothing when it is not paused.
  std::optional<MonoTime> next_probe() const noexcept;
  /// The next one follows after the delay even if this one still runs: it may have met a slow handler.
  void probe_started(MonoTime now) noexcept { probe_at_ = now + probe_delay_; }
  /// The probe brought no answer.
  void probe_failed(MonoTime now);

  void clear();

 private:
  bool pause(MonoTime now);
  bool resume();

  TargetPolicy policy_;
  std::size_t failures_ = 0;
  std::set<KeyHash> keys_;
  bool paused_ = false;
  bool unreachable_ = false;  // why it is paused
  MonoTime probe_at_{};
  Duration probe_delay_{};
};

}  // namespace tgkeep::rules
