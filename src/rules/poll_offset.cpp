#include "rules/poll_offset.hpp"

#include "rules/mutant.hpp"

namespace tgkeep::rules {

void PollOffset::stored(UpdateId last) noexcept {
  value_ = last.value() + (mutant("offset_ahead") ? 2 : 1);
}

}  // namespace tgkeep::rules
