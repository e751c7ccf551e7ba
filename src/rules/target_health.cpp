#include "rules/target_health.hpp"

#include <algorithm>
#include <utility>

namespace tgkeep::rules {

bool TargetHealth::answered() {
  failures_ = 0;
  keys_.clear();
  return resume();
}

bool TargetHealth::resume() {
  return std::exchange(paused_, false);
}

bool TargetHealth::failed(std::optional<KeyHash> key, MonoTime now) {
  // It took a request, so it can be reached again; whether it fails as a whole is counted anew.
  const bool resumed = unreachable_ && resume();
  if (paused_) return false;
  ++failures_;
  if (key && keys_.size() < policy_.keys) keys_.insert(*key);
  if (failures_ < policy_.failures || keys_.size() < policy_.keys) return resumed;
  unreachable_ = false;
  return pause(now);
}

bool TargetHealth::unreachable(MonoTime now) {
  unreachable_ = true;
  return !paused_ && pause(now);
}

bool TargetHealth::pause(MonoTime now) {
  paused_ = true;
  probe_delay_ = policy_.first_probe;
  probe_at_ = now + probe_delay_;
  return true;
}

std::optional<MonoTime> TargetHealth::next_probe() const noexcept {
  if (!paused_) return std::nullopt;
  return probe_at_;
}

void TargetHealth::probe_failed(MonoTime now) {
  probe_delay_ = std::min(probe_delay_ * 2, policy_.max_probe);
  probe_at_ = now + probe_delay_;
}

void TargetHealth::clear() {
  failures_ = 0;
  keys_.clear();
  paused_ = false;
}

}  // namespace tgkeep::rules
