#include "prove/history_check.hpp"

#include <set>
#include <utility>

#include "store/sqlite/day_files.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::prove {

namespace {

using Names = std::set<std::pair<std::int64_t, std::int64_t>>;

/// Adds what the query finds: queue, seq and the row. The first that is not sound, in words.
std::string collect(const std::string& file, const std::string& query, Names& names) {
  try {
    store::Database database(file, "");
    if (database.integer("SELECT count(*) FROM sqlite_master") == 0) return "";  // it was just being made
    store::Statement items = database.prepare(query);
    for (store::Cursor item = items.rows(); item.next();) {
      const Seq seq(item.integer(1));
      const store::RowRead read = store::read_row(item, seq, 2);
      if (!read.wrong.empty())
        return "corrupt: " + file + ", seq " + std::to_string(seq.value()) + ": " + read.wrong;
      names.emplace(item.integer(0), seq.value());
    }
  } catch (const store::SqliteFailure& failure) {
    return "corrupt: " + file + ": " + failure.what();
  }
  return "";
}

}  // namespace

std::string history_difference(const std::string& folder, std::int64_t done) {
  const std::string columns(store::kRowColumns);
  Names names;
  std::string wrong;
  for (const char* const queue : {"0", "1"}) {
    const std::string table = *queue == '0' ? "inbox" : "outbox";
    const std::string query = std::string("SELECT ") + queue + ", seq, " + columns + " FROM " + table +
                              " WHERE seq IN (SELECT seq FROM done WHERE queue=" + queue + ")";
    if (wrong.empty()) wrong = collect(folder + "/inbox.db", query, names);
  }
  for (const store::DayFileEntry& file : store::list_day_files(folder)) {
    if (wrong.empty()) wrong = collect(file.path, "SELECT queue, seq, " + columns + " FROM item", names);
  }
  if (!wrong.empty()) return wrong;
  const auto found = static_cast<std::int64_t>(names.size());
  if (found == done) return "";
  return "history: " + std::to_string(found) + " finished items instead of " + std::to_string(done);
}

}  // namespace tgkeep::prove
