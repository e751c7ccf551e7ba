#pragma once
// What the store thread measures of itself, for `Store::stats`.

#include <chrono>
#include <mutex>
#include <string>
#include <tgkeep/store.hpp>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// Everything on the store thread, but for `stats`.
class StoreGauge {
 public:
  StoreGauge(std::string folder, std::string path, std::uint64_t reserve);

  /// A synced commit, from its first statement until it was durable.
  void committed(Duration took);
  /// Whether puts are refused for lack of room.
  void full(bool full);
  /// Looks at the files, not more often than is needed for metrics, unless it must be `now`.
  void look(const Database& database, std::uint64_t history_bytes, bool now);

  /// Any thread.
  StoreStats stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  std::string folder_;
  std::string path_;
  std::chrono::steady_clock::time_point next_{};
  mutable std::mutex mutex_;
  StoreStats stats_;
};

}  // namespace tgkeep::store
