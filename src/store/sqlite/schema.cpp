#include "store/sqlite/schema.hpp"

#include <array>

namespace tgkeep::store {

namespace {

constexpr std::string_view kRowTypes = R"(
  bot INTEGER NOT NULL, update_id INTEGER NOT NULL, run INTEGER NOT NULL, kind TEXT NOT NULL,
  keys TEXT NOT NULL, key_hash INTEGER, attempts INTEGER NOT NULL, crashes INTEGER NOT NULL,
  due INTEGER NOT NULL, first_failed INTEGER, received INTEGER NOT NULL, lifetime INTEGER NOT NULL,
  answer_expires INTEGER NOT NULL, origin INTEGER NOT NULL, call INTEGER NOT NULL, doubt INTEGER NOT NULL,
  starts INTEGER NOT NULL, error TEXT NOT NULL, marks INTEGER NOT NULL, sum INTEGER NOT NULL, body TEXT NOT NULL)";

// As they were in version 1.
constexpr std::string_view kKeptTables = R"(
CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE total(queue INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY(queue, name)) WITHOUT ROWID;
CREATE TABLE further_key(queue INTEGER NOT NULL, key_hash INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY(queue, key_hash, seq)) WITHOUT ROWID;
CREATE TABLE flight(queue INTEGER NOT NULL, seq INTEGER NOT NULL, solo INTEGER NOT NULL, epoch INTEGER NOT NULL,
  PRIMARY KEY(queue, seq)) WITHOUT ROWID;
CREATE TABLE gap(key_hash INTEGER PRIMARY KEY);
)";

constexpr std::string_view kTables = R"(
CREATE TABLE inbox(seq INTEGER PRIMARY KEY, $row);
CREATE TABLE outbox(seq INTEGER PRIMARY KEY, $row);
CREATE TABLE dead(queue INTEGER NOT NULL, seq INTEGER NOT NULL, reason TEXT NOT NULL, died INTEGER NOT NULL, $row,
  PRIMARY KEY(queue, seq));
CREATE TABLE seen(bot INTEGER NOT NULL, update_id INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  sum INTEGER NOT NULL, PRIMARY KEY(bot, update_id)) WITHOUT ROWID;
CREATE TABLE state(bot INTEGER NOT NULL, space TEXT NOT NULL, key TEXT NOT NULL, bytes BLOB NOT NULL,
  sum INTEGER NOT NULL, PRIMARY KEY(bot, space, key)) WITHOUT ROWID;
CREATE TABLE done(queue INTEGER NOT NULL, seq INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL,
  sum INTEGER NOT NULL, PRIMARY KEY(queue, seq)) WITHOUT ROWID;
CREATE TABLE failure(queue INTEGER NOT NULL, seq INTEGER NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL,
  error TEXT NOT NULL, PRIMARY KEY(queue, seq, attempt)) WITHOUT ROWID;
)";

// Since version 3.
constexpr std::string_view kHandouts = R"(
CREATE TABLE handout(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, sum INTEGER NOT NULL);
CREATE INDEX handout_by_seq ON handout(seq);
)";

constexpr std::string_view kIndexes = R"(
CREATE INDEX inbox_by_key ON inbox(key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX outbox_by_key ON outbox(key_hash) WHERE key_hash IS NOT NULL;
CREATE UNIQUE INDEX outbox_by_call ON outbox(origin, run, call);
CREATE INDEX seen_by_time ON seen(at);
)";

// Version 1 knew no marks, and no sums of what had been seen and of state. In the order of the keys, so that
// the new tables are filled from left to right.
constexpr std::string_view kMove = R"(
INSERT INTO inbox(seq, $columns) SELECT seq, $columns FROM
  (SELECT *, tgkeep_sum($marked) AS marks FROM inbox_1) ORDER BY seq;
INSERT INTO outbox(seq, $columns) SELECT seq, $columns FROM
  (SELECT *, tgkeep_sum($marked) AS marks FROM outbox_1) ORDER BY seq;
INSERT INTO dead(queue, seq, reason, died, $columns) SELECT queue, seq, reason, died, $columns FROM
  (SELECT *, tgkeep_sum($marked, reason, died) AS marks FROM dead_1) ORDER BY queue, seq;
INSERT INTO seen SELECT bot, update_id, seq, at, tgkeep_sum(bot, update_id, seq, at) FROM seen_1
  ORDER BY bot, update_id;
INSERT INTO state SELECT bot, space, key, bytes, tgkeep_sum(bot, space, key, bytes) FROM state_1
  ORDER BY bot, space, key;
)";

void set_version(Database& database) {
  database.exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
}

void upgrade_from_1(Database& database) {
  for (const char* index : {"inbox_by_key", "outbox_by_key", "outbox_by_call", "seen_by_time"})
    database.exec(std::string("DROP INDEX ") + index);
  const std::array<std::string, 5> changed{"inbox", "outbox", "dead", "seen", "state"};
  for (const std::string& table : changed)
    database.exec("ALTER TABLE " + table + " RENAME TO " + table + "_1");
  database.exec(with_row_types(std::string(kTables)));
  std::string move(kMove);
  replace_all(move, "$columns", kRowColumns);
  replace_all(move, "$marked", kMarkedColumns);
  database.exec(move);
  for (const std::string& table : changed) database.exec("DROP TABLE " + table + "_1");
  database.exec(std::string(kIndexes));
}

Error foreign(const std::string& path, const std::string& why) {
  return Error(Errc::store_foreign, path + " is not a tgkeep store (" + why +
                                        "); point the store at another folder, or move the file away");
}

}  // namespace

void replace_all(std::string& text, std::string_view mark, std::string_view with) {
  for (auto place = text.find(mark); place != std::string::npos; place = text.find(mark, place + with.size()))
    text.replace(place, mark.size(), with);
}

std::string with_row_types(std::string text) {
  replace_all(text, "$row", kRowTypes);
  return text;
}

Result<Schema> schema_of(Database& database, const std::string& path) {
  try {
    const std::int64_t application = database.integer("PRAGMA application_id");
    const std::int64_t version = database.integer("PRAGMA user_version");
    if (application == kApplicationId && version == kSchemaVersion) return Schema::current;
    if (application == kApplicationId && version >= 1 && version < kSchemaVersion) return Schema::old;
    if (application == kApplicationId) {
      return Error(
          Errc::store_version,
          path + " was written by a newer tgkeep (schema version " + std::to_string(version) +
              "; this program knows " + std::to_string(kSchemaVersion) +
              " and older): install that version again, or restore a backup made before the upgrade");
    }
    if (application == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_master") == 0)
      return Schema::none;
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
  database.exec(std::string(kKeptTables));
  database.exec(with_row_types(std::string(kTables)));
  database.exec(std::string(kIndexes));
  database.exec(std::string(kHandouts));
  database.exec("INSERT INTO meta VALUES ('store_id', " + std::to_string(id) + ")");
  database.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
  set_version(database);
}

void upgrade_tables(Database& database) {
  if (database.integer("PRAGMA user_version") == 1) upgrade_from_1(database);
  database.exec(std::string(kHandouts));
  set_version(database);
}

}  // namespace tgkeep::store
