#include "store/sqlite/store_gauge.hpp"

#include <filesystem>

#include "store/sqlite/folder.hpp"

namespace tgkeep::store {

namespace {
constexpr std::chrono::milliseconds kBetweenLooks{500};
}

StoreGauge::StoreGauge(std::string folder, std::string path, std::uint64_t reserve)
    : folder_(std::move(folder)), path_(std::move(path)) {
  stats_.reserve = reserve;
}

void StoreGauge::committed(Duration took) {
  const std::lock_guard lock(mutex_);
  stats_.commits.add(took);
}

void StoreGauge::full(bool full) {
  const std::lock_guard lock(mutex_);
  stats_.full = full;
}

void StoreGauge::look(const Database& database, std::uint64_t history_bytes, bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (!now && time < next_) return;
  next_ = time + kBetweenLooks;
  const std::uint64_t size = size_of(path_);
  const auto room = free_bytes(folder_);
  const std::lock_guard lock(mutex_);
  stats_.file_bytes = size;
  stats_.wal_bytes = static_cast<std::uint64_t>(database.wal_bytes());
  stats_.history_bytes = history_bytes;
  stats_.disk_free = room;
}

}  // namespace tgkeep::store
