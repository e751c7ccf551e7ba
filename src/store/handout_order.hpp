#pragma once
// What every book of handouts holds to.

#include <optional>
#include <tgkeep/handouts.hpp>
#include <vector>

namespace tgkeep::store {

/// So many numbers below the last one are kept in any case.
inline constexpr std::int64_t kHandoutsKept = 100'000;

/// `misuse` when the numbers do not grow from one to the next, and from `last`.
std::optional<Error> wrong_order(const std::vector<Handout>& handouts, PullId last);

/// The highest number up to `last` that is shown as this; 0: none.
PullId last_shown_as(std::int64_t update_id, PullId last) noexcept;

/// How many old ones to look at when so many new ones came: twice as many, so that what items have kept for
/// long goes in time.
std::size_t slice_to_sweep(std::size_t noted) noexcept;

}  // namespace tgkeep::store
