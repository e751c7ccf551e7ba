#pragma once
// How the server paces getUpdates: clamps, its guard against busy loops, and the pace of 409 answers. No I/O.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgkeep/time.hpp>

namespace tgkeep::emulator {

/// What a poll may do once the rules have seen it.
class PollTerms {
 public:
  PollTerms(std::size_t limit, std::chrono::seconds timeout) : limit(limit), timeout(timeout) {}
  std::size_t limit;
  std::chrono::seconds timeout;
};

class PollRules {
 public:
  /// limit is clamped to 1..100, timeout to 0..50 s. The same offset again within 3 s waits at least 3 s;
  /// within half a second it gets one update only.
  PollTerms admit(std::int64_t offset, std::int64_t limit, std::int64_t timeout, MonoTime now);

  /// How long to hold a 409 back: not at all when none was sent in the last 3 s, else 3 s.
  Duration conflict_delay(MonoTime now);

 private:
  std::optional<std::int64_t> last_offset_;
  MonoTime last_start_{};
  std::optional<MonoTime> next_conflict_;
};

}  // namespace tgkeep::emulator
