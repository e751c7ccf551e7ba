#pragma once
// RAII over sqlite3: one connection, its prepared statements. Any failure is an exception (`SqliteFailure`);
// the store thread and `open` turn it into a value. Not for use by two threads at once.

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tgkeep::store {

class SqliteFailure : public std::runtime_error {
 public:
  /// `extended` is SQLite's extended result code.
  SqliteFailure(int extended, const std::string& text) : std::runtime_error(text), extended_(extended) {}
  int primary() const noexcept { return extended_ & 0xff; }

 private:
  int extended_;
};

/// Bytes to bind as a BLOB; strings are bound as TEXT.
class Blob {
 public:
  explicit Blob(std::string_view bytes) : bytes(bytes) {}
  std::string_view bytes;
};

/// The rows of one run of a statement; resets it at the end.
class Cursor {
 public:
  explicit Cursor(sqlite3_stmt* statement) : statement_(statement) {}
  ~Cursor() { sqlite3_reset(statement_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Moves to the next row; false when there is none.
  bool next();
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  bool null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  /// Valid until `next`.
  std::string_view bytes(int column) const;
  /// As it is, whatever its type, to be bound elsewhere. Valid until `next`.
  sqlite3_value* value(int column) const { return sqlite3_column_value(statement_, column); }

 private:
  sqlite3_stmt* statement_;
};

/// A prepared statement. Bound strings must live until it has run.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);

  template <class... Values>
  Cursor rows(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    return Cursor(statement_.get());
  }
  template <class... Values>
  void run(const Values&... values) {
    Cursor cursor = rows(values...);
    while (cursor.next()) {
    }
  }

 private:
  void bind(int index, std::int64_t value);
  void bind(int index, std::optional<std::int64_t> value);
  void bind(int index, std::string_view text);
  void bind(int index, Blob blob);
  void bind(int index, sqlite3_value* value);

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Access : std::uint8_t { read_write, read_only };
  /// Opens the file, for writing makes it if there is none. `vfs`: a registered VFS, "" for the default.
  Database(const std::string& path, const std::string& vfs, Access access = Access::read_write);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Statement prepare(std::string_view sql) { return Statement(handle_.get(), sql); }
  void exec(const std::string& sql);
  std::int64_t integer(std::string_view sql);
  /// Makes a deterministic SQL function of any number of arguments known to this connection.
  void define(const char* name, void (*function)(sqlite3_context*, int, sqlite3_value**));
  std::int64_t changes() { return sqlite3_changes64(handle_.get()); }
  bool in_transaction() { return sqlite3_get_autocommit(handle_.get()) == 0; }
  /// Whether closing may write the WAL back. Off, a broken or refused store is left as it was found.
  void checkpoint_on_close(bool allowed);
  /// Bytes in the WAL after the last commit.
  std::int64_t wal_bytes() const noexcept { return *wal_pages_ * kPage; }
  /// SQLITE_CHECKPOINT_PASSIVE or _TRUNCATE; a reader in the way is no failure.
  /// True when all of the WAL is in the database, and for _TRUNCATE the WAL is empty.
  /// Waits `patience` milliseconds for readers.
  bool checkpoint(int mode, int patience = 0);
  /// Writes the file anew, through one of the same size on disk: what was deleted is in no page of it.
  void rewrite();
  sqlite3* handle() const noexcept { return handle_.get(); }

  static constexpr std::int64_t kPage = 4096;

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<std::int64_t> wal_pages_ = std::make_unique<std::int64_t>(0);
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace tgkeep::store
