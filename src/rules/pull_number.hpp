#pragma once
// Between the numbers under which updates are handed out (they grow for ever) and what a bot is shown: JSON
// clients hold 32 bits, as Telegram's own ids do. Pure; any thread.

#include <cstdint>
#include <tgkeep/id.hpp>

namespace tgkeep::rules {

/// Shown numbers go from 1 to this one and begin again.
inline constexpr std::int64_t kPullCycle = 1'999'999'999;

constexpr std::int64_t shown_number(PullId id) noexcept {
  return 1 + (id.value() - 1) % kPullCycle;
}

/// The number nearest to `near` that is shown as `shown`, from 1 to one more than the largest: a bot that
/// asks for what follows the last of a cycle means the first of the next one.
constexpr PullId number_shown_as(std::int64_t shown, PullId near) noexcept {
  const std::int64_t cycle = (near.value() - 1) / kPullCycle;
  std::int64_t number = (cycle * kPullCycle) + shown;
  if (number - near.value() > kPullCycle / 2 && number > kPullCycle) number -= kPullCycle;
  if (near.value() - number > kPullCycle / 2) number += kPullCycle;
  return PullId(number);
}

}  // namespace tgkeep::rules
