#include "rules/poll_offset.hpp"

#include "rules/mutant.hpp"

namespace tgkeep::rules {

namespace {
// Telegram keeps no update longer, and starts ids anew no sooner than after seven of them.
constexpr std::chrono::hours kQuiet{24};
}  // namespace

void PollOffset::stored(UpdateId last, MonoTime now) noexcept {
  value_ = last.value() + (mutant("offset_ahead") ? 2 : 1);
  moved_ = now;
}

void PollOffset::empty(MonoTime now) noexcept {
  if (now - moved_ >= kQuiet) value_.reset();
}

}  // namespace tgkeep::rules
