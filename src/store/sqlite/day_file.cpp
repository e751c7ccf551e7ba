#include "store/sqlite/day_file.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "store/sqlite/row_text.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

constexpr std::int64_t kLargeWal = 4 << 20;
constexpr std::int64_t kDropped = 100;  // items at a time

constexpr const char* kTables = R"(
CREATE TABLE item(queue INTEGER NOT NULL, seq INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL, $row,
  PRIMARY KEY(queue, seq));
CREATE INDEX item_by_update ON item(update_id);
CREATE INDEX item_by_receipt ON item(received);
CREATE TABLE item_key(key_hash INTEGER NOT NULL, queue INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY(key_hash, queue, seq)) WITHOUT ROWID;
CREATE TABLE failure(queue INTEGER NOT NULL, seq INTEGER NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL,
  error TEXT NOT NULL, PRIMARY KEY(queue, seq, attempt)) WITHOUT ROWID;
)";

void make_tables(Database& database) {
  database.exec("BEGIN IMMEDIATE");
  database.exec(with_row_types(kTables));
  database.exec("PRAGMA application_id=" + std::to_string(kDayFileApplicationId));
  database.exec("PRAGMA user_version=" + std::to_string(kDayFileVersion));
  database.exec("COMMIT");
}

std::string insert_item() {
  std::string places;
  for (int column = 0; column < 4 + kRowColumnCount; ++column) places += column == 0 ? "?" : ",?";
  return "INSERT OR REPLACE INTO item(queue, seq, started, ended, " + std::string(kRowColumns) +
         ") VALUES (" + places + ")";
}

template <std::size_t... Columns>
void copy(Statement& statement, const Cursor& cursor, std::index_sequence<Columns...>) {
  statement.run(cursor.value(static_cast<int>(Columns))...);
}

}  // namespace

std::string Day::name() const {
  const std::chrono::year_month_day date(days_);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

class DayFile::Statements {
 public:
  explicit Statements(Database& database)
      : insert(database.prepare(insert_item())),
        insert_key(database.prepare("INSERT OR IGNORE INTO item_key VALUES (?, ?, ?)")),
        insert_failure(database.prepare("INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?)")) {}
  Statement insert;
  Statement insert_key;
  Statement insert_failure;
};

DayFile::DayFile(const std::string& path, const std::string& vfs)
    : database_(std::make_unique<Database>(path, vfs)) {
  const bool fresh = database_->integer("SELECT count(*) FROM sqlite_master") == 0;
  const bool ours = database_->integer("PRAGMA application_id") == kDayFileApplicationId &&
                    database_->integer("PRAGMA user_version") == kDayFileVersion;
  if (!fresh && !ours) throw SqliteFailure(SQLITE_NOTADB, path + " is no day file of this version");
  configure(*database_, fresh);
  database_->exec("PRAGMA cache_size=-32768");
  // After a failed sync, pages of its WAL may be in the system's memory only, and never be written from
  // there: nothing is added to that WAL.
  database_->checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
  if (fresh) make_tables(*database_);
  statements_ = std::make_unique<Statements>(*database_);
}

DayFile::~DayFile() = default;

void DayFile::begin() {
  database_->exec("BEGIN IMMEDIATE");
}

void DayFile::commit() {
  database_->exec("COMMIT");
}

void DayFile::insert(const Cursor& cursor) {
  copy(statements_->insert, cursor, std::make_index_sequence<4 + kRowColumnCount>());
  const BotId bot(cursor.integer(4));
  for (const OrderingKey& key : split_keys(bot, cursor.bytes(8)))
    statements_->insert_key.run(key.hash().value(), cursor.integer(0), cursor.integer(1));
}

void DayFile::insert_failure(const Cursor& cursor) {
  copy(statements_->insert_failure, cursor, std::make_index_sequence<5>());
}

std::uint64_t DayFile::used_bytes() {
  const std::int64_t pages =
      database_->integer("PRAGMA page_count") - database_->integer("PRAGMA freelist_count");
  return static_cast<std::uint64_t>(pages * Database::kPage);
}

bool DayFile::drop_oldest() {
  Statement oldest =
      database_->prepare("SELECT rowid, queue, seq, bot, keys FROM item ORDER BY rowid LIMIT ?");
  Statement erase_key = database_->prepare("DELETE FROM item_key WHERE key_hash=? AND queue=? AND seq=?");
  Statement erase_failures = database_->prepare("DELETE FROM failure WHERE queue=? AND seq=?");
  std::int64_t last = 0;
  for (Cursor item = oldest.rows(kDropped); item.next();) {
    last = item.integer(0);
    for (const OrderingKey& key : split_keys(BotId(item.integer(3)), item.bytes(4)))
      erase_key.run(key.hash().value(), item.integer(1), item.integer(2));
    erase_failures.run(item.integer(1), item.integer(2));
  }
  Statement erase = database_->prepare("DELETE FROM item WHERE rowid<=?");
  if (last > 0) erase.run(last);
  return last > 0;
}

void DayFile::tidy() {
  if (database_->wal_bytes() > kLargeWal) database_->checkpoint(SQLITE_CHECKPOINT_PASSIVE);
}

}  // namespace tgkeep::store
