#include "store/sqlite/read_view.hpp"

#include <filesystem>
#include <system_error>

#include "store/sqlite/folder.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {

namespace fs = std::filesystem;

// Of characters that mean something in a URI.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char letter : path) {
    if (letter == '%') text += "%25";
    if (letter == '?') text += "%3f";
    if (letter == '#') text += "%23";
    if (letter != '%' && letter != '?' && letter != '#') text += letter;
  }
  return text;
}

std::unique_ptr<Database> open(const std::string& path, const std::string& vfs, const char* how = "") {
  auto database = std::make_unique<Database>("file:" + escaped(path) + how, vfs, Database::Access::read_only);
  define_sum(*database);
  database->exec("PRAGMA mmap_size=0");
  database->exec("PRAGMA cell_size_check=ON");
  database->exec("PRAGMA temp_store=MEMORY");
  return database;
}

// A store that was closed well leaves no WAL. Where nothing may be written (a folder of somebody else's, a
// read-only disk) SQLite can't make one, but then nobody changes the file either.
std::unique_ptr<Database> open_store(const std::string& path, const std::string& vfs) {
  auto database = open(path, vfs);
  try {
    database->integer("SELECT count(*) FROM sqlite_master");
    return database;
  } catch (const SqliteFailure& failure) {
    const bool no_wal_made = failure.primary() == SQLITE_CANTOPEN || failure.primary() == SQLITE_READONLY;
    if (!no_wal_made || exists(path + "-wal")) throw;
  }
  return open(path, vfs, "?immutable=1");
}

}  // namespace

ReadTransaction::ReadTransaction(Database& database) : database_(database) {
  database.exec("BEGIN");
}

ReadTransaction::~ReadTransaction() {
  try {
    database_.exec("COMMIT");
  } catch (const SqliteFailure&) {  // nothing was written; the next one says it again
  }
}

Database& ReadView::database() {
  if (database_) return *database_;
  if (!exists(path())) {
    throw Failure(Error(Errc::store_unusable, "there is no store in " + folder_ + " (no file inbox.db); " +
                                                  "name the bot's folder, or start the bot once"));
  }
  auto opened = open_store(path(), vfs_);
  const Result<Schema> schema = schema_of(*opened, path());
  if (!schema) throw Failure(schema.error());
  if (*schema != Schema::current) {
    throw Failure(Error(Errc::store_version,
                        path() + " was written by an older tgkeep, or never quite made; start the bot with "
                                 "this version once, which brings the store up to date"));
  }
  database_ = std::move(opened);
  return *database_;
}

std::vector<DayFileEntry> ReadView::day_files() const {
  std::vector<DayFileEntry> files = list_day_files(folder_);
  std::erase_if(files, [](const DayFileEntry& file) { return !file.path.ends_with(".db"); });
  return files;
}

std::unique_ptr<Database> ReadView::open_day(const DayFileEntry& day) const {
  return open_store(day.path, vfs_);
}

void ReadView::each_day(const std::function<void(Database& file, const DayFileEntry& day)>& read) {
  for (const DayFileEntry& day : day_files()) {
    go_on();
    try {
      const auto file = open_day(day);
      // A file that was just made has no tables yet.
      if (file->integer("SELECT count(*) FROM sqlite_master WHERE name='failure'") == 0) continue;
      const ReadTransaction snapshot(*file);
      read(*file, day);
    } catch (const SqliteFailure& failure) {
      if (exists(day.path)) throw Failure(unreadable(day.path, failure));
    }
  }
}

void ReadView::go_on() const {
  if (abandoned_ != nullptr && abandoned_->load(std::memory_order_relaxed))
    throw Failure(Error(Errc::cancelled, "nobody waits for the search any more"));
}

Error unreadable(const std::string& path, const SqliteFailure& failure) {
  const std::string what = path + " can't be read: " + failure.what();
  switch (failure.primary()) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Error(Errc::corrupt,
                   what + "; check the store, keep a copy of its folder, then restore a backup");
    case SQLITE_BUSY:
      return Error(Errc::store_locked, what + "; another program holds it, end that or ask again");
    default:
      return Error(Errc::store_unusable,
                   what + "; check the disk and whether you may read (and for a WAL also write) there");
  }
}

}  // namespace tgkeep::store
