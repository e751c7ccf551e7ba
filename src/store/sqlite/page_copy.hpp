#pragma once
// SQLite's backup: the pages of one database, as its connection sees them, into another.

#include <cstdint>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// Both must outlive it. With a read transaction open on `from` it copies that snapshot.
class PageCopy {
 public:
  PageCopy(Database& from, Database& to);
  ~PageCopy();
  PageCopy(const PageCopy&) = delete;
  PageCopy& operator=(const PageCopy&) = delete;

  /// False when all is copied.
  bool step(int pages);
  /// Bytes so far.
  std::uint64_t copied() const noexcept;

 private:
  sqlite3* to_;
  sqlite3_backup* backup_;
};

}  // namespace tgkeep::store
