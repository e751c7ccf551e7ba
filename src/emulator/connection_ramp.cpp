#include "emulator/connection_ramp.hpp"

#include <algorithm>

namespace tgkeep::emulator {

namespace {

constexpr Duration active_for = std::chrono::seconds(10);
constexpr Duration inactive_pause = std::chrono::seconds(2);
constexpr double burst = 10;
constexpr double per_second = 20;
// Sums of twentieths do not come out whole.
constexpr double almost_one = 1 - 1e-6;

}  // namespace

bool ConnectionRamp::is_active(MonoTime now) const {
  return last_success_ && now - *last_success_ <= active_for;
}

std::size_t ConnectionRamp::wanted(std::size_t keys, MonoTime now) const {
  const std::size_t most = is_active(now) ? max_connections_ : 1;
  return std::min(keys, most);
}

void ConnectionRamp::refill(MonoTime now) {
  if (refilled_) {
    const double passed = std::chrono::duration<double>(now - *refilled_).count();
    tokens_ = std::min(burst, tokens_ + passed * per_second);
  }
  refilled_ = now;
}

bool ConnectionRamp::may_open(std::size_t keys, std::size_t open, MonoTime now) {
  if (open >= wanted(keys, now)) return false;
  if (!is_active(now)) return !last_opened_ || now - *last_opened_ >= inactive_pause;
  refill(now);
  return tokens_ >= almost_one;
}

void ConnectionRamp::opened(MonoTime now) {
  refill(now);
  last_opened_ = now;
  tokens_ = std::max(0.0, tokens_ - 1);
}

std::optional<MonoTime> ConnectionRamp::next_chance(std::size_t keys, std::size_t open, MonoTime now) {
  if (open >= wanted(keys, now)) return std::nullopt;
  if (!is_active(now)) return last_opened_ ? std::max(now, *last_opened_ + inactive_pause) : now;
  refill(now);
  const double missing = std::max(0.0, 1 - tokens_);
  return now + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(missing / per_second));
}

}  // namespace tgkeep::emulator
