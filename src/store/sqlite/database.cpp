#include "store/sqlite/database.hpp"

namespace tgkeep::store {

namespace {

constexpr int kBusyTimeout = 5000;  // milliseconds, for a hand that writes with the sqlite3 shell

[[noreturn]] void fail(sqlite3* database, std::string_view doing) {
  const int code = sqlite3_extended_errcode(database);
  throw SqliteFailure(code, std::string(sqlite3_errmsg(database)) + " (SQLite code " + std::to_string(code) +
                                ", while " + std::string(doing) + ")");
}

}  // namespace

bool Cursor::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(sqlite3_db_handle(statement_), sqlite3_sql(statement_));
}

std::string_view Cursor::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

Statement::Statement(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) fail(database, sql);
}

void Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
}

void Statement::bind(int index, std::optional<std::int64_t> value) {
  if (value) {
    sqlite3_bind_int64(statement_.get(), index, *value);
  } else {
    sqlite3_bind_null(statement_.get(), index);
  }
}

void Statement::bind(int index, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data();
  const int code =
      sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement_.get()), "binding a text");
}

void Statement::bind(int index, Blob blob) {
  const char* data = blob.bytes.data() == nullptr ? "" : blob.bytes.data();
  const int code = sqlite3_bind_blob64(statement_.get(), index, data, blob.bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement_.get()), "binding bytes");
}

void Statement::bind(int index, sqlite3_value* value) {
  if (sqlite3_bind_value(statement_.get(), index, value) != SQLITE_OK)
    fail(sqlite3_db_handle(statement_.get()), "binding a value");
}

Database::Database(const std::string& path, const std::string& vfs, Access access) {
  const bool reads = access == Access::read_only;
  const int how = reads ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, how | SQLITE_OPEN_NOMUTEX, vfs.empty() ? nullptr : vfs.c_str());
  handle_.reset(handle);
  if (code != SQLITE_OK) {
    if (handle == nullptr) throw SqliteFailure(code, sqlite3_errstr(code));
    fail(handle, "opening it");
  }
  sqlite3_extended_result_codes(handle, 1);
  // Opened for writing, SQLite falls back to reading where it may not write.
  if (!reads && sqlite3_db_readonly(handle, "main") == 1)
    throw SqliteFailure(SQLITE_READONLY, "the file can't be written");
  sqlite3_busy_timeout(handle, kBusyTimeout);
  if (reads) return;
  // A WAL hook replaces the automatic checkpoint: the store thread decides when.
  const auto count = [](void* pages, sqlite3*, const char*, int in_wal) {
    *static_cast<std::int64_t*>(pages) = in_wal;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(handle, count, wal_pages_.get());
}

void Database::exec(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    fail(handle_.get(), sql);
}

void Database::define(const char* name, void (*function)(sqlite3_context*, int, sqlite3_value**)) {
  const int code = sqlite3_create_function_v2(handle_.get(), name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                              nullptr, function, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), name);
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement = prepare(sql);
  Cursor cursor = statement.rows();
  return cursor.next() ? cursor.integer(0) : 0;
}

void Database::checkpoint_on_close(bool allowed) {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, allowed ? 0 : 1, nullptr);
}

void Database::rewrite() {
  exec("PRAGMA temp_store=FILE");
  try {
    exec("VACUUM");
  } catch (const SqliteFailure&) {
    exec("PRAGMA temp_store=MEMORY");
    throw;
  }
  exec("PRAGMA temp_store=MEMORY");
}

bool Database::checkpoint(int mode, int patience) {
  int pages = 0;
  int written = 0;
  sqlite3_busy_timeout(handle_.get(), patience);  // a long reader must not hold the writer up
  const int code = sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, mode, &pages, &written);
  sqlite3_busy_timeout(handle_.get(), kBusyTimeout);
  const int primary = code & 0xff;
  if (primary != SQLITE_OK && primary != SQLITE_BUSY && primary != SQLITE_FULL)
    fail(handle_.get(), "writing the WAL back");
  // All of it is in the database: the next commit starts the WAL again.
  const bool all = primary == SQLITE_OK && pages == written;
  if (all) *wal_pages_ = 0;
  return all;
}

}  // namespace tgkeep::store
