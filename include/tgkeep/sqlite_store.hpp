#pragma once
// The default store: one SQLite file (WAL, synchronous=FULL), written by one thread, and a file for each day
// of history, written by another. docs/store_format.md.

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store.hpp>
#include <type_traits>

namespace tgkeep::store {

/// Where the store lies and how it keeps.
class SqliteOptions {
 public:
  explicit SqliteOptions(std::string folder) : folder(std::move(folder)) {}
  std::string
      folder;  ///< made if missing; holds inbox.db, its WAL, the side file, the lock file and history/
  std::chrono::hours dedup_window{72};  ///< how long an update_id is remembered, at least 48 h
  std::uint64_t reserve =
      64U << 20;  ///< bytes kept free: below, puts are refused (store_full), settling goes on
  /// How long finished items can be found and replayed; 0: they are deleted at once. At most `dedup_window`.
  std::chrono::hours history{48};
  std::uint64_t max_history = 2U << 30;  ///< bytes of day files: above, the oldest go early
  std::string vfs;                       ///< SQLite VFS name, for fault injection; "" = the default
};

/// Opens or makes the store, counts the crashes of what was in flight and starts the store thread. Errors:
/// store_locked, store_foreign, store_version, store_rolled_back, store_unusable, store_full, corrupt,
/// bad_config.
Result<std::unique_ptr<Store>> open_sqlite_store(const asio::any_io_executor& loop, Clock& clock,
                                                 SqliteOptions options, Log log);

static_assert(!std::is_aggregate_v<SqliteOptions>);

}  // namespace tgkeep::store
