// Every row of every table: its checksums, and what must agree with other tables.
#include <algorithm>

#include "store/sqlite/books.hpp"
#include "store/sqlite/browse_audit.hpp"
#include "store/sqlite/check_report.hpp"
#include "store/sqlite/row_cursor.hpp"
#include "store/sqlite/row_text.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sum_checks.hpp"

namespace tgkeep::store {

namespace {

constexpr const char* kRow =
    "tgkeep hands it to nobody and gives it up as corrupt; take the row from a backup if you need it";
constexpr const char* kFinished = "it can't be replayed; take it from a backup if you need it";
constexpr const char* kBackup =
    "keep a copy of the folder and look after the disk, then restore the newest good backup";

std::string columns() {
  return "seq, " + std::string(kRowColumns);
}

/// A query whose every row is a mistake: its text, and the seq or NULL.
class Rule {
 public:
  Rule(std::string table, std::string query, std::string remedy)
      : table(std::move(table)), query(std::move(query)), remedy(std::move(remedy)) {}
  std::string table;
  std::string query;
  std::string remedy;
};

void check_rule(Database& database, const std::string& file, const Rule& rule, CheckReport& report) {
  Statement mistakes = database.prepare(rule.query);
  for (Cursor row = mistakes.rows(); row.next();) {
    std::optional<Seq> seq;
    if (!row.null(1)) seq = Seq(row.integer(1));
    report.find(file, rule.table, seq, std::string(row.bytes(0)), rule.remedy);
  }
}

void check_rows(Database& database, const std::string& file, const std::string& table, const char* remedy,
                CheckReport& report) {
  Statement rows = database.prepare("SELECT " + columns() + " FROM " + table);
  for (Cursor row = rows.rows(); row.next();) {
    const Seq seq(row.integer(0));
    const RowRead read = read_row(row, seq, 1);
    report.row(read.row.body.size());
    if (!read.wrong.empty()) report.find(file, table, seq, read.wrong, remedy);
  }
}

void check_dead(Database& database, const std::string& file, CheckReport& report) {
  Statement rows = database.prepare("SELECT reason, died, " + columns() + " FROM dead");
  for (Cursor row = rows.rows(); row.next();) {
    const Seq seq(row.integer(2));
    const RowRead read = read_dead_row(row, seq, 3, row.bytes(0), row.integer(1));
    report.row(read.row.body.size());
    if (!read.wrong.empty()) report.find(file, "dead", seq, read.wrong, kRow);
  }
}

const char* remedy_of(const std::string& table) {
  if (table == "done") return "nothing: at the next start the item is handed over again";
  if (table == "seen") return "nothing: if Telegram repeats that update, it is taken as a new one";
  if (table == "handout") return "nothing: an update that waits is handed out under a new number";
  return "the handler gets an error instead of it; restore the row from a backup, or delete it while the "
         "process "
         "is stopped";
}

void check_sums(Database& database, const std::string& file, CheckReport& report) {
  for (const SumCheck& check : sum_checks()) {
    // Those are read whole, with their bodies.
    if (check.table == "inbox" || check.table == "outbox" || check.table == "dead") continue;
    Statement wrong = database.prepare(check.query());
    for (Cursor row = wrong.rows(); row.next();) {
      std::optional<Seq> seq;
      if (!row.null(1)) seq = Seq(row.integer(1));
      report.find(file, check.table, seq, std::string(row.bytes(0)) + " does not match its checksum",
                  remedy_of(check.table));
    }
    report.rows(database.integer("SELECT count(*) FROM " + check.table));
  }
}

std::string live(const char* table) {
  return "SELECT 1 FROM " + std::string(table) +
         " r WHERE r.seq=t.seq AND NOT EXISTS (SELECT 1 FROM done d WHERE "
         "d.queue=t.queue AND d.seq=t.seq)";
}

std::string not_live() {
  return "NOT CASE t.queue WHEN 0 THEN EXISTS (" + live("inbox") + ") ELSE EXISTS (" + live("outbox") +
         ") END";
}

// What has no checksum of its own is held against what has.
void check_relations(Database& database, const std::string& file, CheckReport& report) {
  const std::string any =
      "NOT EXISTS (SELECT 1 FROM inbox r WHERE t.queue=0 AND r.seq=t.seq) AND NOT EXISTS (SELECT 1 FROM "
      "outbox r "
      "WHERE t.queue=1 AND r.seq=t.seq) AND NOT EXISTS (SELECT 1 FROM dead r WHERE r.queue=t.queue AND "
      "r.seq=t.seq)";
  for (const Rule& rule : {
           Rule("flight",
                "SELECT 'it marks an item that does not wait', seq FROM flight t WHERE " + not_live(),
                kBackup),
           Rule("flight",
                "SELECT 'its numbers are impossible', seq FROM flight t WHERE solo NOT IN (0, 1) OR queue "
                "NOT IN (0, 1) "
                "OR epoch < 1 OR epoch > (SELECT value FROM meta WHERE name='epoch')",
                kBackup),
           Rule("failure", "SELECT 'its item does not exist', seq FROM failure t WHERE " + any,
                "nothing: it is only shown to people"),
           Rule("further_key", "SELECT 'its item does not wait', seq FROM further_key t WHERE " + not_live(),
                kBackup),
           Rule("meta",
                "SELECT 'the last ' || q.name || ' seq is ' || value || ', but there are later ones', NULL "
                "FROM meta, "
                "(SELECT 'inbox' AS name, max(seq) AS most FROM inbox UNION ALL SELECT 'outbox', max(seq) "
                "FROM outbox "
                "UNION ALL SELECT CASE queue WHEN 0 THEN 'inbox' ELSE 'outbox' END, max(seq) FROM dead GROUP "
                "BY queue) q "
                "WHERE meta.name=q.name || '_seq' AND value < q.most",
                kBackup),
       }) {
    check_rule(database, file, rule, report);
  }
  for (const Queue queue : {Queue::inbox, Queue::outbox}) {
    const std::string difference = audit_totals(database, queue);
    if (!difference.empty()) report.find(file, "total", std::nullopt, difference, kBackup);
  }
}

/// Rows of `keys` and the keys that the items themselves name; both ways.
void check_keys(Database& database, const std::string& file, const std::string& items,
                const std::string& keys, std::size_t first, const char* remedy, CheckReport& report) {
  Statement has = database.prepare("SELECT 1 FROM " + keys + " WHERE queue=? AND key_hash=? AND seq=?");
  Statement rows = database.prepare(items);
  std::int64_t wanted = 0;
  for (Cursor row = rows.rows(); row.next();) {
    std::vector<std::int64_t> hashes;
    for (const auto& key : split_keys(BotId(row.integer(2)), row.bytes(3)))
      hashes.push_back(key.hash().value());
    for (std::size_t i = first; i < hashes.size(); ++i) {
      // Written once, and never for the primary key where that is in the row.
      if (std::find(hashes.begin(), hashes.begin() + static_cast<std::ptrdiff_t>(i), hashes[i]) !=
          hashes.begin() + static_cast<std::ptrdiff_t>(i))
        continue;
      ++wanted;
      Cursor found = has.rows(row.integer(0), hashes[i], row.integer(1));
      if (!found.next())
        report.find(file, keys, Seq(row.integer(1)), "a key of this item is missing", remedy);
    }
  }
  const std::int64_t there = database.integer("SELECT count(*) FROM " + keys);
  report.rows(there);
  if (there > wanted)
    report.find(file, keys, std::nullopt, std::to_string(there - wanted) + " keys are of no item", remedy);
}

}  // namespace

void check_store_tables(Database& database, const std::string& file, CheckReport& report) {
  check_rows(database, file, "inbox", kRow, report);
  check_rows(database, file, "outbox", kRow, report);
  check_dead(database, file, report);
  check_sums(database, file, report);
  check_relations(database, file, report);
  const std::string waiting = " r WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.seq=r.seq AND d.queue=";
  check_keys(database, file,
             "SELECT 0, seq, bot, keys FROM inbox" + waiting +
                 "0) UNION ALL SELECT 1, seq, bot, keys FROM outbox" + waiting + "1)",
             "further_key", 1, kBackup, report);
}

void check_day_tables(Database& database, const std::string& file, Day day, CheckReport& report) {
  check_rows(database, file, "item", kFinished, report);
  const std::string begin = std::to_string(tgkeep::to_millis(day.begin()));
  const std::string end = std::to_string(tgkeep::to_millis(day.end()));
  check_rule(database, file,
             Rule("item",
                  "SELECT 'its times are impossible', seq FROM item WHERE started>ended OR ended<" + begin +
                      " OR ended>=" + end,
                  kFinished),
             report);
  check_rule(
      database, file,
      Rule(
          "failure",
          "SELECT 'its item does not exist', seq FROM failure t WHERE NOT EXISTS (SELECT 1 FROM item r WHERE "
          "r.queue=t.queue AND r.seq=t.seq)",
          "nothing: it is only shown to people"),
      report);
  check_keys(database, file, "SELECT queue, seq, bot, keys FROM item", "item_key", 0,
             "it is not found by that key; nothing else depends on it", report);
}

}  // namespace tgkeep::store
