#include "rules/pull_pace.hpp"

#include <algorithm>

namespace tgkeep::rules {

namespace {
constexpr Duration kTime = std::chrono::milliseconds(100);
}  // namespace

void PullPace::took(std::size_t updates, MonoTime now) {
  if (most_ == 0 || updates == 0) return;
  taken_.emplace_back(now, updates);
  sum_ += updates;
}

std::size_t PullPace::ahead(MonoTime now) {
  while (!taken_.empty() && taken_.front().at <= now - kTime) {
    sum_ -= taken_.front().updates;
    taken_.pop_front();
  }
  return std::min(sum_, most_);
}

}  // namespace tgkeep::rules
