#pragma once
// From what a bot is shown back to the number under which an update was handed out. Pure; any thread.

#include <cstdint>
#include <tgkeep/id.hpp>

namespace tgkeep::rules {

/// The number nearest to `near` that is shown as `shown`, from 1 to one more than the largest: a bot that
/// asks for what follows the last of a cycle means the first of the next one.
constexpr PullId number_shown_as(std::int64_t shown, PullId near) noexcept {
  const std::int64_t cycle = (near.value() - 1) / kShownPullIds;
  std::int64_t number = (cycle * kShownPullIds) + shown;
  if (number - near.value() > kShownPullIds / 2 && number > kShownPullIds) number -= kShownPullIds;
  if (near.value() - number > kShownPullIds / 2) number += kShownPullIds;
  return PullId(number);
}

}  // namespace tgkeep::rules
