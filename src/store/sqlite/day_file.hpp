#pragma once
// history/YYYY-MM-DD.db: the items that were done on one day (UTC).

#include <chrono>
#include <memory>
#include <string>

#include "store/sqlite/database.hpp"
#include "store/sqlite/row_cursor.hpp"

namespace tgkeep::store {

inline constexpr std::int64_t kDayFileApplicationId = 0x74676b68;  // "tgkh"
inline constexpr std::int64_t kDayFileVersion = 2;

/// Days since 1970-01-01, UTC.
class Day {
 public:
  explicit Day(WallTime time) : days_(std::chrono::floor<std::chrono::days>(time)) {}
  explicit Day(std::chrono::sys_days days) : days_(days) {}
  WallTime begin() const { return WallTime(days_); }
  WallTime end() const { return WallTime(days_ + std::chrono::days(1)); }
  /// "2026-01-31".
  std::string name() const;
  friend auto operator<=>(const Day&, const Day&) = default;

 private:
  std::chrono::sys_days days_;
};

/// The one connection that writes the file. Throws SqliteFailure.
class DayFile {
 public:
  /// Opens or makes it.
  DayFile(const std::string& path, const std::string& vfs);
  ~DayFile();

  void begin();
  /// Durable when it returns.
  void commit();
  /// Columns of `cursor`: queue, seq, started, ended, and those of the row. One that is there already is
  /// written again.
  void insert(const Cursor& cursor);
  /// Columns: queue, seq, attempt, at, error.
  void insert_failure(const Cursor& cursor);
  /// Bytes in use, free pages left out.
  std::uint64_t used_bytes();
  /// Takes away some of the items that were written first; false when there are none.
  bool drop_oldest();
  /// Writes its WAL back when that has grown.
  void tidy();
  Database& database() noexcept { return *database_; }

 private:
  class Statements;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Statements> statements_;
};

}  // namespace tgkeep::store
