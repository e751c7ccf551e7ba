#include "prove/promises.hpp"

namespace tgkeep::prove {

namespace {

constexpr std::size_t kMostProblems = 40;

constexpr std::array<std::string_view, kPromises> kNames{
    "no_loss_after_acknowledgement",
    "stored_once",
    "at_least_once",
    "order_per_key",
    "bounded_attempts",
    "sums",
    "bounded_stop",
    "bounded_recovery",
    "no_double_send",
    "calls_kept",
    "outcomes_told",
    "flood_is_local",
};
static_assert(!kNames.back().empty());

}  // namespace

std::string_view to_string(Promise promise) noexcept {
  return kNames[static_cast<std::size_t>(promise)];
}

void Promises::broken(Promise promise, std::string how) {
  ++counts_[static_cast<std::size_t>(promise)];
  if (problems_.size() < kMostProblems)
    problems_.push_back(std::string(to_string(promise)) + ": " + std::move(how));
}

void Promises::add(const Promises& other) {
  for (std::size_t i = 0; i < kPromises; ++i) counts_[i] += other.counts_[i];
  for (const std::string& problem : other.problems_) {
    if (problems_.size() < kMostProblems) problems_.push_back(problem);
  }
}

}  // namespace tgkeep::prove
