#include "admin/wrong_tokens.hpp"

#include <algorithm>

namespace tgkeep::admin {

std::optional<Duration> WrongTokens::wait_of(const std::string& peer) {
  const auto found = tallies_.find(peer);
  if (found == tallies_.end() || found->second.count < kAllowed) return std::nullopt;
  const MonoTime now = clock_.mono();
  if (found->second.until <= now) return std::nullopt;
  return found->second.until - now;
}

void WrongTokens::count(const std::string& peer) {
  const MonoTime now = clock_.mono();
  if (!tallies_.contains(peer) && tallies_.size() >= kMost) forget_old();
  Tally& tally = tallies_[peer];
  if (tally.until <= now) {
    tally.count = 0;
    tally.until = now + kWindow;
  }
  ++tally.count;
  if (tally.count >= kAllowed) tally.until = now + kWindow;
}

// Somebody with a thousand addresses has those tries anyway: the memory is what must be bounded.
void WrongTokens::forget_old() {
  const MonoTime now = clock_.mono();
  std::erase_if(tallies_, [now](const auto& each) { return each.second.until <= now; });
  if (tallies_.size() < kMost) return;
  const auto oldest = std::min_element(
      tallies_.begin(), tallies_.end(),
      [](const auto& one, const auto& other) { return one.second.until < other.second.until; });
  tallies_.erase(oldest);
}

}  // namespace tgkeep::admin
