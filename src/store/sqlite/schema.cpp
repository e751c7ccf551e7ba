#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

constexpr std::string_view kRowTypes = R"(
  bot INTEGER NOT NULL, update_id INTEGER NOT NULL, run INTEGER NOT NULL, kind TEXT NOT NULL,
  keys TEXT NOT NULL, key_hash INTEGER, attempts INTEGER NOT NULL, crashes INTEGER NOT NULL,
  due INTEGER NOT NULL, first_failed INTEGER, received INTEGER NOT NULL, lifetime INTEGER NOT NULL,
  answer_expires INTEGER NOT NULL, origin INTEGER NOT NULL, call INTEGER NOT NULL, doubt INTEGER NOT NULL,
  starts INTEGER NOT NULL, error TEXT NOT NULL, sum INTEGER NOT NULL, body TEXT NOT NULL)";

constexpr std::string_view kTables = R"(
CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE total(queue INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY(queue, name)) WITHOUT ROWID;
CREATE TABLE inbox(seq INTEGER PRIMARY KEY, $row);
CREATE TABLE outbox(seq INTEGER PRIMARY KEY, $row);
CREATE INDEX inbox_by_key ON inbox(key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX outbox_by_key ON outbox(key_hash) WHERE key_hash IS NOT NULL;
CREATE UNIQUE INDEX outbox_by_call ON outbox(origin, run, call);
CREATE TABLE further_key(queue INTEGER NOT NULL, key_hash INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY(queue, key_hash, seq)) WITHOUT ROWID;
CREATE TABLE flight(queue INTEGER NOT NULL, seq INTEGER NOT NULL, solo INTEGER NOT NULL, epoch INTEGER NOT NULL,
  PRIMARY KEY(queue, seq)) WITHOUT ROWID;
CREATE TABLE dead(queue INTEGER NOT NULL, seq INTEGER NOT NULL, reason TEXT NOT NULL, died INTEGER NOT NULL, $row,
  PRIMARY KEY(queue, seq));
CREATE TABLE seen(bot INTEGER NOT NULL, update_id INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY(bot, update_id)) WITHOUT ROWID;
CREATE INDEX seen_by_time ON seen(at);
CREATE TABLE gap(key_hash INTEGER PRIMARY KEY);
CREATE TABLE state(bot INTEGER NOT NULL, space TEXT NOT NULL, key TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY(bot, space, key)) WITHOUT ROWID;
)";

std::string tables() {
  std::string sql(kTables);
  constexpr std::string_view kMark = "$row";
  for (auto place = sql.find(kMark); place != std::string::npos; place = sql.find(kMark)) {
    sql.replace(place, kMark.size(), kRowTypes);
  }
  return sql;
}

Error foreign(const std::string& path, const std::string& why) {
  return Error(Errc::store_foreign, path + " is not a tgkeep store (" + why +
                                        "); point the store at another folder, or move the file away");
}

}  // namespace

Result<bool> is_new(Database& database, const std::string& path) {
  try {
    const std::int64_t application = database.integer("PRAGMA application_id");
    const std::int64_t version = database.integer("PRAGMA user_version");
    if (application == kApplicationId && version == kSchemaVersion) return false;
    if (application == kApplicationId) {
      return Error(Errc::store_version,
                   path + " was written by schema version " + std::to_string(version) +
                       ", this program knows version " + std::to_string(kSchemaVersion) +
                       "; use the program version that wrote it, or start with an empty folder");
    }
    if (application == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_master") == 0)
      return true;
    return foreign(path, "a database of another program: application id " + std::to_string(application));
  } catch (const SqliteFailure& failure) {
    if (failure.primary() == SQLITE_NOTADB) return foreign(path, "not an SQLite database");
    throw;
  }
}

void configure(Database& database, bool is_new) {
  if (is_new) {
    database.exec("PRAGMA page_size=4096");
    database.exec("PRAGMA auto_vacuum=INCREMENTAL");
  }
  Statement journal = database.prepare("PRAGMA journal_mode=WAL");
  {
    Cursor mode = journal.rows();
    if (!mode.next() || mode.bytes(0) != "wal") {
      throw SqliteFailure(SQLITE_CANTOPEN,
                          "the filesystem does not support SQLite's WAL (shared memory is needed)");
    }
  }
  database.exec("PRAGMA synchronous=FULL");
  database.exec("PRAGMA mmap_size=0");  // a failed read must be an error, not a SIGBUS
  database.exec("PRAGMA cell_size_check=ON");
  database.exec("PRAGMA temp_store=MEMORY");
  database.exec("PRAGMA cache_size=-65536");
  database.exec("PRAGMA journal_size_limit=67108864");
}

void create_tables(Database& database, std::int64_t id) {
  database.exec(tables());
  database.exec("INSERT INTO meta VALUES ('store_id', " + std::to_string(id) + ")");
  database.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
}

}  // namespace tgkeep::store
