#include "store/sqlite/row_table.hpp"

#include <algorithm>

#include "store/sqlite/row_cursor.hpp"
#include "store/sqlite/row_text.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

constexpr const char* kInsert =
    "INSERT INTO $t(seq, $row) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kInsertDead =
    "INSERT INTO dead(queue, reason, died, seq, $row) VALUES "
    "($q,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kHeadColumns =
    "r.seq, bot, keys, attempts, crashes, due, first_failed, received, lifetime, answer_expires, run, "
    "starts, "
    "key_hash, error, marks";
constexpr const char* kLive = "NOT EXISTS (SELECT 1 FROM done d WHERE d.queue=$q AND d.seq=r.seq)";
constexpr const char* kHeads = "SELECT $head FROM $t r WHERE r.seq>? AND $live ORDER BY r.seq";
constexpr const char* kHeadsOfKey =
    "SELECT $head FROM $t r WHERE key_hash=?1 AND r.seq>?2 AND $live UNION ALL SELECT $head FROM "
    "(SELECT seq AS further FROM further_key WHERE queue=$q AND key_hash=?1 AND seq>?2) "
    "JOIN $t r ON r.seq=further ORDER BY 1";
// The numbers are the row's, of which `marks` is made; the rest goes as it lies there.
constexpr const char* kBury =
    "INSERT INTO dead(queue, seq, reason, died, $row) SELECT $q, seq, ?2, ?3, bot, update_id, ?4, kind, "
    "keys, "
    "?5, ?6, ?7, ?8, ?9, received, ?10, ?11, origin, call, doubt, ?12, ?13, ?14, sum, body FROM $t "
    "WHERE seq=?1";

// `$t` is the queue's table, `$q` its number, `$row` the columns that the tables share.
std::string sql(Queue queue, std::string text) {
  replace_all(text, "$head", kHeadColumns);
  replace_all(text, "$live", kLive);
  replace_all(text, "$t", to_string(queue));
  replace_all(text, "$q", queue == Queue::inbox ? "0" : "1");
  replace_all(text, "$row", kRowColumns);
  return text;
}

// What is not sound must not become so by being written again.
std::int64_t sealed(const Row& row, std::int64_t sum) {
  return row.sound ? sum : ~sum;
}

template <class... First>
void insert_row(Statement& statement, const Row& row, std::string_view error, std::int64_t marks,
                const First&... first) {
  const std::string joined = join_keys(row.keys);
  statement.run(first..., row.seq.value(), row.bot.value(), row.update_id.value(), std::int64_t{row.run},
                row.kind, joined, key_hash(row), std::int64_t{row.attempts}, std::int64_t{row.crashes},
                to_millis(row.due), to_millis(row.first_failed), to_millis(row.received),
                std::int64_t{row.lifetime.count()}, std::int64_t{row.answer_expires}, row.origin.value(),
                std::int64_t{row.call}, static_cast<std::int64_t>(row.doubt), std::int64_t{row.starts}, error,
                sealed(row, marks), sealed(row, checksum(row, joined)), row.body);
}

// Columns of kHeadColumns.
Head head_at(const Cursor& cursor) {
  Head head;
  head.seq = Seq(cursor.integer(0));
  for (const auto& key : split_keys(BotId(cursor.integer(1)), cursor.bytes(2)))
    head.keys.push_back(key.hash());
  const auto maybe = [&cursor](int column) {
    return cursor.null(column) ? std::nullopt : std::optional<std::int64_t>(cursor.integer(column));
  };
  const std::int64_t marks =
      sum_of(cursor.integer(0), cursor.integer(10), cursor.integer(3), cursor.integer(4), cursor.integer(11),
             cursor.integer(5), maybe(6), cursor.integer(7), cursor.integer(8), cursor.integer(9), maybe(12),
             cursor.bytes(13));
  if (marks != cursor.integer(14)) return head;
  head.attempts = static_cast<std::uint32_t>(cursor.integer(3));
  head.crashes = static_cast<std::uint32_t>(cursor.integer(4));
  head.due = from_millis(cursor.integer(5));
  if (!cursor.null(6)) head.first_failed = from_millis(cursor.integer(6));
  if (cursor.integer(9) != 0)
    head.expires = from_millis(cursor.integer(7)) + std::chrono::seconds(cursor.integer(8));
  return head;
}

}  // namespace

RowTable::RowTable(Database& database, Queue queue)
    : queue_(queue),
      insert_(database.prepare(sql(queue, kInsert))),
      insert_dead_(database.prepare(sql(queue, kInsertDead))),
      insert_further_(database.prepare(sql(queue, "INSERT OR IGNORE INTO further_key VALUES ($q,?,?)"))),
      read_(database.prepare(sql(queue, "SELECT $row FROM $t r WHERE r.seq=? AND $live"))),
      heads_(database.prepare(sql(queue, kHeads))),
      heads_of_key_(database.prepare(sql(queue, kHeadsOfKey))),
      update_(database.prepare(sql(queue,
                                   "UPDATE $t SET attempts=?2, crashes=?3, due=?4, first_failed=?5, "
                                   "error=?6, starts=?7, marks=?8 WHERE seq=?1"))),
      erase_(database.prepare(sql(queue, "DELETE FROM $t WHERE seq=?"))),
      erase_further_(
          database.prepare(sql(queue, "DELETE FROM further_key WHERE queue=$q AND key_hash=? AND seq=?"))),
      bury_(database.prepare(sql(queue, kBury))),
      find_dead_(
          database.prepare(sql(queue, "SELECT reason, died, $row FROM dead WHERE queue=$q AND seq=?"))),
      erase_dead_(database.prepare(sql(queue, "DELETE FROM dead WHERE queue=$q AND seq=?"))),
      contains_(database.prepare(sql(queue, "SELECT 1 FROM $t r WHERE r.seq=? AND $live"))),
      contains_dead_(database.prepare(sql(queue, "SELECT 1 FROM dead WHERE queue=$q AND seq=?"))),
      oldest_(database.prepare(
          sql(queue, "SELECT r.seq, received FROM $t r WHERE r.seq>=? AND $live ORDER BY r.seq LIMIT 1"))) {}

void RowTable::insert_further_keys(const Row& row) {
  for (std::size_t i = 1; i < row.keys.size(); ++i) {
    if (row.keys[i].hash() == row.keys.front().hash()) continue;
    insert_further_.run(row.keys[i].hash().value(), row.seq.value());
  }
}

void RowTable::erase_further_keys(const Row& row) {
  for (std::size_t i = 1; i < row.keys.size(); ++i)
    erase_further_.run(row.keys[i].hash().value(), row.seq.value());
}

void RowTable::insert(const Row& row, std::string_view error) {
  insert_row(insert_, row, error, marks_of(row, error).value());
  insert_further_keys(row);
}

void RowTable::insert_dead(const Row& row, std::string_view reason, std::string_view error, WallTime died) {
  const std::int64_t marks = marks_of(row, error).add(reason).add(to_millis(died)).value();
  insert_row(insert_dead_, row, error, marks, reason, to_millis(died));
}

std::optional<Row> RowTable::read(Seq seq, std::string* corrupt) {
  Cursor cursor = read_.rows(seq.value());
  if (!cursor.next()) return std::nullopt;
  RowRead read = read_row(cursor, seq, 0);
  if (!read.wrong.empty()) {
    *corrupt = "row seq " + std::to_string(seq.value()) + " of table " + std::string(to_string(queue_)) +
               ": " + read.wrong;
  }
  return std::move(read.row);
}

std::vector<Head> RowTable::heads(const LeaseRequest& request, const std::function<bool(Seq)>& skip) {
  std::vector<Head> heads;
  const std::int64_t after = std::max(request.after.value(), first_live_.value() - 1);
  Cursor cursor = request.key ? heads_of_key_.rows(request.key->value(), after) : heads_.rows(after);
  while (heads.size() < request.limit && cursor.next()) {
    if (!skip(Seq(cursor.integer(0)))) heads.push_back(head_at(cursor));
  }
  return heads;
}

void RowTable::update(const Row& row, std::string_view error) {
  update_.run(row.seq.value(), std::int64_t{row.attempts}, std::int64_t{row.crashes}, to_millis(row.due),
              to_millis(row.first_failed), error, std::int64_t{row.starts},
              sealed(row, marks_of(row, error).value()));
}

void RowTable::erase(Seq seq) {
  erase_.run(seq.value());
}

void RowTable::erase(const Row& row) {
  erase(row.seq);
  erase_further_keys(row);
}

void RowTable::bury(const Row& row, std::string_view reason, std::string_view error, WallTime died) {
  const std::int64_t marks = marks_of(row, error).add(reason).add(to_millis(died)).value();
  bury_.run(row.seq.value(), reason, to_millis(died), std::int64_t{row.run}, key_hash(row),
            std::int64_t{row.attempts}, std::int64_t{row.crashes}, to_millis(row.due),
            to_millis(row.first_failed), std::int64_t{row.lifetime.count()}, std::int64_t{row.answer_expires},
            std::int64_t{row.starts}, error, marks);
  erase(row);
}

std::optional<BuriedRow> RowTable::find_dead(Seq seq) {
  Cursor cursor = find_dead_.rows(seq.value());
  if (!cursor.next()) return std::nullopt;
  RowRead read = read_dead_row(cursor, seq, 2, cursor.bytes(0), cursor.integer(1));
  return BuriedRow(std::move(read.row), std::string(cursor.bytes(0)),
                   std::string(cursor.bytes(2 + kErrorColumn)));
}

void RowTable::erase_dead(Seq seq) {
  erase_dead_.run(seq.value());
}

bool RowTable::waits(Seq seq) {
  return contains_.rows(seq.value()).next();
}

bool RowTable::contains(Seq seq) {
  return waits(seq) || contains_dead_.rows(seq.value()).next();
}

std::optional<WallTime> RowTable::oldest(Seq last) {
  Cursor cursor = oldest_.rows(first_live_.value());
  if (!cursor.next()) {
    first_live_ = Seq(last.value() + 1);
    return std::nullopt;
  }
  first_live_ = Seq(cursor.integer(0));
  return from_millis(cursor.integer(1));
}

}  // namespace tgkeep::store
