#include "prove/store_witness.hpp"

#include <sqlite3.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <system_error>
#include <tgkeep/sqlite_store.hpp>

#include "loop/real_clock.hpp"
#include "loop/run_to_end.hpp"

namespace tgkeep::prove {

namespace {

namespace fs = std::filesystem;

Error unreadable(const fs::path& file, const std::string& why) {
  return Error(Errc::store_unusable,
               "can't read " + file.string() + ": " + why + "; look at the file with the sqlite3 program");
}

Result<std::int64_t> query_number(const fs::path& file, const char* sql, int flags) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  sqlite3_busy_timeout(opened, 2000);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(opened, &sqlite3_close);
  if (code != SQLITE_OK) return unreadable(file, sqlite3_errstr(code));
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(database.get(), sql, -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared, &sqlite3_finalize);
  if (prepared == nullptr || sqlite3_step(prepared) != SQLITE_ROW) {
    return unreadable(file, sqlite3_errmsg(database.get()));
  }
  return sqlite3_column_int64(prepared, 0);
}

std::int64_t total(const QueueCounts& counts) {
  std::int64_t sum = 0;
  for (const auto& [reason, count] : counts.dead) sum += count;
  return sum;
}

asio::awaitable<Result<StoreFigures>> audited_figures(Store& store) {
  Result<StoreCounts> counts = co_await store.counts();
  if (!counts) co_return counts.error();
  if (store.browser() != nullptr) {
    Result<void> audit = co_await store.browser()->audit();
    if (!audit) co_return audit.error();
  }
  StoreFigures figures;
  figures.stored = counts->inbox.stored;
  figures.duplicates = counts->inbox.duplicates;
  figures.done = counts->inbox.done;
  figures.dead = total(counts->inbox) + total(counts->outbox);
  figures.in_doubt = counts->outbox.in_doubt;
  co_return figures;
}

asio::awaitable<Result<std::vector<StoredItem>>> inbox_letters(Store& store) {
  return find_dead(store, Queue::inbox);
}

template <class T>
Result<T> with_store(const std::string& folder, asio::awaitable<Result<T>> (*ask)(Store&)) {
  asio::io_context io(1);
  loop::RealClock clock(io.get_executor());
  store::SqliteOptions options(folder);
  auto store = store::open_sqlite_store(io.get_executor(), clock, std::move(options), Log());
  if (!store) return store.error();
  return loop::run_to_end(io, ask(**store));
}

}  // namespace

Result<std::int64_t> count_calls_in_flight(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(fs::path(folder) / "inbox.db", error)) return 0;
  const fs::path copy = fs::path(folder + "-after-kill");
  fs::remove_all(copy, error);
  fs::create_directory(copy, error);
  for (const char* name : {"inbox.db", "inbox.db-wal"}) {
    const fs::path from = fs::path(folder) / name;
    if (!error && fs::exists(from)) fs::copy_file(from, copy / name, error);
  }
  if (error) return unreadable(copy, error.message());
  const Result<std::int64_t> count =
      query_number(copy / "inbox.db", "SELECT count(*) FROM flight WHERE queue = 1", SQLITE_OPEN_READWRITE);
  fs::remove_all(copy, error);
  return count;
}

Result<std::int64_t> count_open(const std::string& folder) {
  return query_number(
      fs::path(folder) / "inbox.db",
      "SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM outbox) - (SELECT count(*) FROM done)",
      SQLITE_OPEN_READONLY);
}

asio::awaitable<Result<std::vector<StoredItem>>> find_dead(Store& store, Queue queue) {
  ItemFilter filter(queue);
  filter.states = {ItemState::dead, ItemState::held};
  std::vector<StoredItem> letters;
  std::optional<Seq> after = Seq();
  while (after) {
    Result<ItemPage> page = co_await store.browser()->find(filter, *after, 1000, false, true);
    if (!page) co_return page.error();
    for (StoredItem& letter : page->items) letters.push_back(std::move(letter));
    after = page->next;
  }
  co_return letters;
}

Result<std::vector<StoredItem>> read_dead_letters(const std::string& folder) {
  return with_store<std::vector<StoredItem>>(folder, inbox_letters);
}

Result<StoreFigures> read_store(const std::string& folder) {
  return with_store<StoreFigures>(folder, audited_figures);
}

}  // namespace tgkeep::prove
