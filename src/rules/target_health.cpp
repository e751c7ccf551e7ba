#include "rules/target_health.hpp"

#include <algorithm>

namespace tgkeep::rules {

namespace {
constexpr Duration kRemembered = std::chrono::hours(24);
}

bool TargetHealth::answered(MonoTime now) {
  failures_ = 0;
  keys_.clear();
  return resume(now);
}

bool TargetHealth::resume(MonoTime now) {
  if (!paused_since_) return false;
  pauses_.emplace_back(*paused_since_, now);
  while (pauses_.front().second < now - kRemembered) pauses_.pop_front();
  paused_since_.reset();
  return true;
}

bool TargetHealth::failed(std::optional<KeyHash> key, MonoTime now) {
  // It took a request, so it can be reached again; whether it fails as a whole is counted anew.
  const bool resumed = unreachable_ && resume(now);
  if (paused_since_) return false;
  ++failures_;
  if (key && keys_.size() < policy_.keys) keys_.insert(*key);
  if (failures_ < policy_.failures || keys_.size() < policy_.keys) return resumed;
  unreachable_ = false;
  return pause(now);
}

bool TargetHealth::unreachable(MonoTime now) {
  unreachable_ = true;
  return !paused_since_ && pause(now);
}

bool TargetHealth::pause(MonoTime now) {
  paused_since_ = now;
  probe_delay_ = policy_.first_probe;
  probe_at_ = now + probe_delay_;
  return true;
}

std::optional<MonoTime> TargetHealth::next_probe() const noexcept {
  if (!paused_since_) return std::nullopt;
  return probe_at_;
}

void TargetHealth::probe_failed(MonoTime now) {
  probe_delay_ = std::min(probe_delay_ * 2, policy_.max_probe);
  probe_at_ = now + probe_delay_;
}

Duration TargetHealth::paused_between(MonoTime since, MonoTime now) const {
  Duration total{};
  for (const auto& [from, to] : pauses_)
    total += std::max(std::min(to, now) - std::max(from, since), Duration::zero());
  if (paused_since_) total += std::max(now - std::max(*paused_since_, since), Duration::zero());
  return total;
}

void TargetHealth::clear() {
  failures_ = 0;
  keys_.clear();
  paused_since_.reset();
}

}  // namespace tgkeep::rules
