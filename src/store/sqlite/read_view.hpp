#pragma once
// The files of a store, opened for reading only: inbox.db and, one at a time, the day files of its history.
// Takes no lock that a writer waits for, but for the short moments of its transactions.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <tgkeep/error.hpp>
#include <vector>

#include "store/sqlite/day_files.hpp"

namespace tgkeep::store {

/// One snapshot of a database; ends with its scope.
class ReadTransaction {
 public:
  explicit ReadTransaction(Database& database);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Database& database_;
};

/// For one thread. Failures are exceptions: `SqliteFailure`, or `Failure` where the file is another one.
class ReadView {
 public:
  ReadView(std::string folder, std::string vfs) : folder_(std::move(folder)), vfs_(std::move(vfs)) {}

  const std::string& folder() const noexcept { return folder_; }
  std::string path() const { return folder_ + "/inbox.db"; }
  /// inbox.db; opened and looked at when it is first asked for.
  Database& database();
  /// The day files there are, oldest first; not those set aside as damaged.
  std::vector<DayFileEntry> day_files() const;
  std::unique_ptr<Database> open_day(const DayFileEntry& day) const;
  /// Calls `read` with each of them; one that has gone in the meantime is passed over.
  void each_day(const std::function<void(Database& file, const DayFileEntry& day)>& read);

  /// Work asks between its steps: throws `cancelled` when nobody waits for it any more.
  void go_on() const;
  void watch(const std::atomic<bool>* abandoned) noexcept { abandoned_ = abandoned; }

 private:
  std::string folder_;
  std::string vfs_;
  std::unique_ptr<Database> database_;
  const std::atomic<bool>* abandoned_ = nullptr;
};

/// What a failure of reading `path` means for people.
Error unreadable(const std::string& path, const SqliteFailure& failure);

}  // namespace tgkeep::store
