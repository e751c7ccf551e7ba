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

std::size_t slice_to_sweep(std::size_t noted) noexcept {
  return std::clamp<std::size_t>(2 * noted, 20, 500);
}

}  // namespace tgkeep::store
