#include "store/sqlite/handover.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tgkeep::store {

namespace {
// Old day files go although nothing is done any more; and after a failure it is tried again.
constexpr std::chrono::seconds kPatience{30};
}  // namespace

void Handover::ask() {
  const std::lock_guard lock(mutex_);
  if (asked_) return;
  asked_ = true;
  changed_.notify_all();
}

bool Handover::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

std::vector<ItemName> Handover::next_copied(std::size_t most) const {
  const std::lock_guard lock(mutex_);
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, copied_.size()));
  return std::vector<ItemName>(copied_.begin(), copied_.begin() + count);
}

bool Handover::has_copied() const {
  const std::lock_guard lock(mutex_);
  return !copied_.empty();
}

void Handover::deleted(std::size_t count) {
  const std::lock_guard lock(mutex_);
  copied_.erase(copied_.begin(), copied_.begin() + static_cast<std::ptrdiff_t>(count));
  changed_.notify_all();
}

bool Handover::wait_for_work(const std::stop_token& stop, bool patient) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, kPatience,
                    [&] { return (asked_ && !patient) || asks_ > served_ || !jobs_.empty(); });
  seen_ = asks_;
  return asked_ || asks_ > served_;
}

void Handover::add_copied(std::vector<ItemName> items) {
  {
    const std::lock_guard lock(mutex_);
    copied_.insert(copied_.end(), items.begin(), items.end());
  }
  wake_store_();
}

bool Handover::wait_for_deletion(std::size_t left, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return changed_.wait(lock, stop, [&] { return copied_.size() <= left; });
}

void Handover::pass_is_over() {
  const std::lock_guard lock(mutex_);
  asked_ = false;
  served_ = seen_;
  changed_.notify_all();
}

void Handover::post(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

std::vector<std::function<void()>> Handover::take_jobs() {
  const std::lock_guard lock(mutex_);
  return std::exchange(jobs_, {});
}

void Handover::run_pass() {
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = ++asks_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return served_ >= mine; });
}

}  // namespace tgkeep::store
