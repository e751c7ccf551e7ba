#pragma once
// What a check of a store's files finds, and the checks of which it consists.

#include <string>
#include <tgkeep/sqlite_files.hpp>

#include "store/sqlite/backup_manifest.hpp"
#include "store/sqlite/day_file.hpp"

namespace tgkeep::store {

/// What to do about a file that can't be trusted.
inline constexpr const char* kDamaged =
    "keep a copy of the folder, look after the disk, then restore the newest good backup";

class CheckReport {
 public:
  explicit CheckReport(const Progress& progress, std::uint64_t bytes) : count_(progress, bytes) {}

  void find(const std::string& file, const std::string& table, std::optional<Seq> seq, std::string what,
            std::string remedy);
  void row(std::uint64_t bytes) {
    ++check_.rows;
    pending_ += bytes;
    if (pending_ < kTold) return;
    count_.add(pending_);
    pending_ = 0;
  }
  void rows(std::int64_t count) { check_.rows += static_cast<std::uint64_t>(count); }
  void file() { ++check_.files; }
  ProgressCount& progress() noexcept { return count_; }
  StoreCheck take() { return std::move(check_); }

 private:
  static constexpr std::size_t kListed = 200;
  static constexpr std::uint64_t kTold = 1U << 20;
  StoreCheck check_;
  ProgressCount count_;
  std::uint64_t pending_ = 0;
};

/// SQLite's own check of the file; false when its tables had better not be read.
bool check_integrity(Database& database, const std::string& file, bool day, CheckReport& report);
/// Every table of inbox.db.
void check_store_tables(Database& database, const std::string& file, CheckReport& report);
/// Every table of a day file.
void check_day_tables(Database& database, const std::string& file, Day day, CheckReport& report);

}  // namespace tgkeep::store
