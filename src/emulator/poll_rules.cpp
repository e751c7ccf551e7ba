#include "emulator/poll_rules.hpp"

#include <algorithm>

namespace tgkeep::emulator {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t max_limit = 100;
constexpr std::int64_t max_timeout = 50;
constexpr seconds conflict_pause{3};

}  // namespace

PollTerms PollRules::admit(std::int64_t offset, std::int64_t limit, std::int64_t timeout, MonoTime now) {
  PollTerms terms(static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, max_limit)),
                  seconds(std::clamp<std::int64_t>(timeout, 0, max_timeout)));
  if (last_offset_ == offset) {
    const Duration since = now - last_start_;
    if (since < seconds(3)) terms.timeout = std::max(terms.timeout, seconds(3));
    if (since < milliseconds(500)) terms.limit = 1;
  }
  last_offset_ = offset;
  last_start_ = now;
  return terms;
}

Duration PollRules::conflict_delay(MonoTime now) {
  if (next_conflict_ && now < *next_conflict_) return conflict_pause;
  next_conflict_ = now + conflict_pause;
  return Duration::zero();
}

}  // namespace tgkeep::emulator
