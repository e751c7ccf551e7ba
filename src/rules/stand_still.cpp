#include "rules/stand_still.hpp"

#include <algorithm>

namespace tgkeep::rules {

namespace {
constexpr Duration kRemembered = std::chrono::hours(24);
}

void StandStill::begin(Cause cause, MonoTime now) {
  causes_[index(cause)] = true;
  if (!since_) since_ = now;
}

void StandStill::end(Cause cause, MonoTime now) {
  causes_[index(cause)] = false;
  if (!since_ || causes_[0] || causes_[1]) return;
  if (*since_ < now) past_.emplace_back(*since_, now);
  since_.reset();
  while (!past_.empty() && past_.front().second < now - kRemembered) past_.pop_front();
}

Duration StandStill::between(MonoTime since, MonoTime now) const {
  Duration total{};
  for (const auto& [from, to] : past_)
    total += std::max(std::min(to, now) - std::max(from, since), Duration::zero());
  if (since_) total += std::max(now - std::max(*since_, since), Duration::zero());
  return total;
}

}  // namespace tgkeep::rules
