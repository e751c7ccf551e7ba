#include "rules/bulk_pace.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tgkeep::rules {

namespace {

// So that a token whose time has come is not missed by rounding.
constexpr double kWhole = 1 - 1e-6;

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

BulkPace::BulkPace(double per_second)
    : per_second_(std::isfinite(per_second) ? std::max(per_second, 0.0) : 0),
      most_(per_second_ > 0 ? std::max(1.0, per_second_ / 5) : 0),
      tokens_(most_) {}

double BulkPace::tokens_at(MonoTime now) const {
  if (!counted_ || now <= *counted_) return tokens_;
  return std::min(most_, tokens_ + seconds(now - *counted_) * per_second_);
}

bool BulkPace::take(MonoTime now) {
  tokens_ = tokens_at(now);
  counted_ = std::max(counted_.value_or(now), now);
  if (tokens_ < kWhole) return false;
  tokens_ = std::max(tokens_ - 1, 0.0);
  return true;
}

MonoTime BulkPace::next(MonoTime now) const {
  if (per_second_ <= 0) return MonoTime::max();
  const double missing = 1 - tokens_at(now);
  if (missing <= 1 - kWhole) return now;
  const std::chrono::duration<double> wait(std::min(missing / per_second_, 1e9));
  return std::max(now, counted_.value_or(now)) + std::chrono::ceil<Duration>(wait);
}

}  // namespace tgkeep::rules
