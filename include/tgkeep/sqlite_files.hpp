#pragma once
// The files of an SQLite store from outside: read beside its process or without one, checked, restored from a
// backup. docs/store_format.md. Backups are made by `StoreBrowser::backup`.

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/store.hpp>
#include <tgkeep/store_browser.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::store {

/// A store that is only read: takes no lock, changes no file, and does not care whether a process owns it.
class SqliteReader {
 public:
  virtual ~SqliteReader() = default;
  /// Finds, traces, audits and backs up; what changes something answers `misuse` with the remedy.
  virtual StoreBrowser& browser() noexcept = 0;
  /// The totals, as of one instant.
  virtual asio::awaitable<Result<StoreCounts>> counts() = 0;
  /// Sizes as of now; nothing about commits and the reserve, which only the owner knows.
  virtual StoreStats stats() const = 0;
  /// Of the last opening by an owner, when this was opened.
  virtual Epoch epoch() const noexcept = 0;

 protected:
  SqliteReader() = default;
  SqliteReader(const SqliteReader&) = delete;
  SqliteReader& operator=(const SqliteReader&) = delete;
};

/// Errors: store_unusable (no store there, or it may not be read), store_foreign, store_version, corrupt.
Result<std::unique_ptr<SqliteReader>> open_sqlite_reader(const asio::any_io_executor& loop, Clock& clock,
                                                         std::string folder);

/// One thing that is not as it was written.
class StoreFinding {
 public:
  StoreFinding() = default;
  std::string file;        ///< its path
  std::string table;       ///< "" when it is the file as a whole
  std::optional<Seq> seq;  ///< of the row, where it has one
  std::string what;        ///< what does not match
  std::string remedy;      ///< what to do about it
};

/// What `check_sqlite_store` looked at and found.
class StoreCheck {
 public:
  StoreCheck() = default;
  std::uint64_t files = 0;             ///< looked at
  std::uint64_t rows = 0;              ///< whose checksums were compared
  std::uint64_t more = 0;              ///< findings beyond the first 200, which are not listed
  std::vector<StoreFinding> findings;  ///< empty: all is well
};

/// Reads everything: SQLite's own integrity check, the checksums of all rows in all files, totals against
/// rows, the side file; of a backup also its manifest. Needs no loop; progress in bytes of files. Owns the
/// store meanwhile: `store_locked` while a process does. Repairs nothing.
Result<StoreCheck> check_sqlite_store(const std::string& folder, const Progress& progress);

/// What was restored.
class RestoreReport {
 public:
  RestoreReport() = default;
  std::int64_t commits = 0;  ///< of the store when it was backed up
  WallTime made{};           ///< when that was
  std::uint64_t bytes = 0;   ///< of its files
};

/// Puts a backup into `folder`, which must be empty or not exist; complete or not there. A backup that is
/// incomplete or was altered is refused with the name of the file: `corrupt`. What was in flight then counts
/// one crash. What came after the backup is not in it. Needs no loop; progress in bytes.
Result<RestoreReport> restore_sqlite_store(const std::string& backup, const std::string& folder,
                                           const Progress& progress);

static_assert(!std::is_aggregate_v<StoreFinding> && !std::is_aggregate_v<StoreCheck> &&
              !std::is_aggregate_v<RestoreReport>);

}  // namespace tgkeep::store
