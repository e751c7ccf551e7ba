#include "store/handout_order.hpp"

#include <algorithm>
#include <string>

namespace tgkeep::store {

std::optional<Error> wrong_order(const std::vector<Handout>& handouts, PullId last) {
  for (const Handout& handout : handouts) {
    if (handout.id <= last) {
      return Error(Errc::misuse, "an update can't be handed out as number " +
                                     std::to_string(handout.id.value()) + ": " +
                                     std::to_string(last.value()) + " was given before; numbers grow");
    }
    last = handout.id;
  }
  return std::nullopt;
}

PullId last_shown_as(std::int64_t update_id, PullId last) noexcept {
  if (update_id < 1 || update_id > kShownPullIds || update_id > last.value()) return PullId();
  return PullId(last.value() - (last.value() - update_id) % kShownPullIds);
}

std::size_t slice_to_sweep(std::size_t noted) noexcept {
  return std::clamp<std::size_t>(2 * noted, 20, 500);
}

}  // namespace tgkeep::store
