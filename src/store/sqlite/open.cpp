#include "store/sqlite/open.hpp"

#include <random>

#include "store/sqlite/folder.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {

Error error_of(const SqliteFailure& failure, const std::string& path) {
  const std::string what = path + ": " + failure.what();
  switch (failure.primary()) {
    case SQLITE_FULL:
      return Error(Errc::store_full, "no space left to open " + what + "; free some and start again");
    case SQLITE_BUSY:
      return Error(Errc::store_locked,
                   "another program holds " + what + "; end it (read with sqlite3 -readonly)");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Error(Errc::corrupt, what + "; keep a copy of the folder, then restore a backup");
    default:
      return Error(Errc::store_unusable, "the store can't be opened, " + what +
                                             "; check the disk and the process's permissions in that folder");
  }
}

std::int64_t random_id() {
  std::random_device source;
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(source()) << 31) ^ source()) &
         0x7fffffffffffffff;
}

Error rolled_back(const std::string& path, const std::string& side, const SideFile::Content& noted,
                  const std::string& found) {
  return Error(
      Errc::store_rolled_back,
      side + " says that store " + std::to_string(noted.store_id) + " has acknowledged " +
          std::to_string(noted.commits) + " commits, but " + path + " " + found +
          ": acknowledged updates are missing. Restore the newest copy of the whole folder; if this loss is "
          "known and accepted, delete " +
          side + " and start again");
}

void make_tables(Database& database) {
  database.exec("BEGIN IMMEDIATE");
  create_tables(database, random_id());
  database.exec("COMMIT");
}

void recover(Files& files) {
  files.database->exec("BEGIN IMMEDIATE");
  files.ledger->recover();
  files.ledger->books().write(true);
  files.database->exec("COMMIT");
  files.ledger->committed();
  files.side.write(SideFile::Content(files.ledger->books().store_id(), files.ledger->books().commits()));
}

Result<void> check_commits(const Files& files, const std::string& side, const SideFile::Content& noted) {
  const Books books(*files.database);
  if (noted.store_id != books.store_id())
    return rolled_back(files.path, side, noted, "is another store, " + std::to_string(books.store_id()));
  if (noted.commits > books.commits())
    return rolled_back(files.path, side, noted, "holds only " + std::to_string(books.commits()));
  return Result<void>();
}

void upgrade(Files& files, const Log& log) {
  log.info("store_upgrade", {{"file", files.path}, {"to_version", kSchemaVersion}});
  files.database->exec("BEGIN IMMEDIATE");
  upgrade_tables(*files.database);
  files.database->exec("COMMIT");
}

Result<void> open_database(Files& files, const std::string& side, Clock& clock, const SqliteOptions& options,
                           const Log& log) {
  files.database = std::make_unique<Database>(files.path, options.vfs);
  files.database->checkpoint_on_close(false);  // what is refused below stays as it is
  const Result<Schema> schema = schema_of(*files.database, files.path);
  if (!schema) return schema.error();
  const bool fresh = *schema == Schema::none;
  const auto noted = files.side.read();
  if (fresh && noted && noted->commits > 0)
    return rolled_back(files.path, side, *noted, "is missing or empty");
  configure(*files.database, fresh);
  define_sum(*files.database);
  if (fresh) make_tables(*files.database);
  if (noted) {
    if (auto checked = check_commits(files, side, *noted); !checked) return checked;
  }
  if (*schema == Schema::old) upgrade(files, log);
  LedgerOptions ledger;
  ledger.path = files.path;
  ledger.dedup_window = options.dedup_window;
  ledger.history = options.history.count() > 0;
  files.ledger = std::make_unique<Ledger>(*files.database, clock, std::move(ledger), log);
  recover(files);
  files.database->checkpoint_on_close(true);
  return sync_folder(files.folder);
}

}  // namespace

Result<Files> open_files(Clock& clock, const SqliteOptions& options, const Log& log) {
  if (options.dedup_window < std::chrono::hours(48)) {
    return Error(Errc::bad_config, "dedup_window is " + std::to_string(options.dedup_window.count()) +
                                       " h; Telegram repeats updates for up to 24 h, so set at least 48 h");
  }
  if (options.history < std::chrono::hours(0) || options.history > options.dedup_window) {
    return Error(Errc::bad_config,
                 "history is " + std::to_string(options.history.count()) + " h; set 0 to " +
                     std::to_string(options.dedup_window.count()) +
                     " h, since an update must stay known as long as it can be replayed (dedup_window)");
  }
  if (auto folder = prepare_folder(options.folder); !folder) return folder.error();
  Result<LockFile> lock = LockFile::take(options.folder + "/inbox.lock");
  if (!lock) return lock.error();
  const std::string side = options.folder + "/inbox.commits";
  Result<SideFile> side_file = SideFile::open(side);
  if (!side_file) return side_file.error();
  Files files;
  files.folder = options.folder;
  files.path = options.folder + "/inbox.db";
  files.vfs = options.vfs;
  files.reserve = options.reserve;
  files.history = options.history;
  files.max_history = options.max_history;
  files.lock = std::move(*lock);
  files.side = std::move(*side_file);
  try {
    if (auto opened = open_database(files, side, clock, options, log); !opened) return opened.error();
  } catch (const SqliteFailure& failure) {
    return error_of(failure, files.path);
  }
  Books& books = files.ledger->books();
  log.info("store_opened",
           {{"file", files.path},
            {"epoch", books.epoch().value()},
            {"commits", books.commits()},
            {"inbox_pending", books[Queue::inbox].pending + books[Queue::inbox].retrying},
            {"outbox_pending", books[Queue::outbox].pending + books[Queue::outbox].retrying}});
  return files;
}

}  // namespace tgkeep::store
