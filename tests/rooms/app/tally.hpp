#pragma once
// Counts how often each update was handled.

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tgkeep/id.hpp>
#include <vector>

namespace tgkeep::test {

/// Any thread.
class Tally {
 public:
  void add(UpdateId id) {
    const std::lock_guard lock(mutex_);
    ++times_[id.value()];
    changed_.notify_all();
  }
  /// Returns when so many different ones have been handled; throws after a minute.
  void wait_for(std::size_t updates) {
    std::unique_lock lock(mutex_);
    const auto enough = [&] { return times_.size() >= updates; };
    if (changed_.wait_for(lock, std::chrono::minutes(1), enough)) return;
    throw std::runtime_error("only " + std::to_string(times_.size()) + " updates came");
  }
  std::vector<int> times() const {
    const std::lock_guard lock(mutex_);
    std::vector<int> all;
    for (const auto& [id, count] : times_) all.push_back(count);
    return all;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int64_t, int> times_;
};

}  // namespace tgkeep::test
