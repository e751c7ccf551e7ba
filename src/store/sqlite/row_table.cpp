#include "store/sqlite/row_table.hpp"

#include "rules/mutant.hpp"
#include "store/sqlite/row_text.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

// `$t` is the queue's table, `$q` its number, `$row` the columns that the tables share.
std::string sql(Queue queue, std::string text) {
  const auto replace = [&text](std::string_view mark, std::string_view with) {
    for (auto place = text.find(mark); place != std::string::npos;
         place = text.find(mark, place + with.size())) {
      text.replace(place, mark.size(), with);
    }
  };
  replace("$t", to_string(queue));
  replace("$q", queue == Queue::inbox ? "0" : "1");
  replace("$row", kRowColumns);
  return text;
}

constexpr const char* kInsert =
    "INSERT INTO $t(seq, $row) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kInsertDead =
    "INSERT INTO dead(queue, reason, died, seq, $row) VALUES "
    "($q,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kHeadColumns =
    "seq, bot, keys, attempts, crashes, due, first_failed, received, lifetime, answer_expires";
constexpr const char* kBury =
    "INSERT INTO dead(queue, seq, reason, died, $row) SELECT $q, seq, ?2, ?3, bot, update_id, run, kind, "
    "keys, "
    "key_hash, ?4, ?5, due, first_failed, received, lifetime, answer_expires, origin, call, doubt, starts, "
    "?6, sum, "
    "body "
    "FROM $t WHERE seq=?1";
constexpr const char* kRevive =
    "INSERT INTO $t(seq, $row) SELECT ?2, bot, update_id, ?3, kind, keys, key_hash, 0, 0, 0, NULL, received, "
    "lifetime, 0, origin, call, doubt, 0, error, sum, body FROM dead WHERE queue=$q AND seq=?1";

std::optional<std::int64_t> key_hash(const Row& row) {
  if (row.keys.empty()) return std::nullopt;
  return row.keys.front().hash().value();
}

std::optional<std::int64_t> millis(const std::optional<WallTime>& time) {
  if (!time) return std::nullopt;
  return to_millis(*time);
}

// Columns of kRowColumns, from `first` on.
Row row_at(const Cursor& cursor, Seq seq, int first, std::string& joined_keys) {
  Row row;
  row.seq = seq;
  row.bot = BotId(cursor.integer(first));
  row.update_id = UpdateId(cursor.integer(first + 1));
  row.run = static_cast<std::uint32_t>(cursor.integer(first + 2));
  row.kind = cursor.bytes(first + 3);
  joined_keys = cursor.bytes(first + 4);
  row.keys = split_keys(row.bot, joined_keys);
  row.attempts = static_cast<std::uint32_t>(cursor.integer(first + 6));
  row.crashes = static_cast<std::uint32_t>(cursor.integer(first + 7));
  row.due = from_millis(cursor.integer(first + 8));
  if (!cursor.null(first + 9)) row.first_failed = from_millis(cursor.integer(first + 9));
  row.received = from_millis(cursor.integer(first + 10));
  row.lifetime = std::chrono::seconds(cursor.integer(first + 11));
  row.answer_expires = cursor.integer(first + 12) != 0;
  row.origin = Seq(cursor.integer(first + 13));
  row.call = static_cast<std::uint32_t>(cursor.integer(first + 14));
  row.doubt = static_cast<DoubtPolicy>(cursor.integer(first + 15));
  row.starts = static_cast<std::uint32_t>(cursor.integer(first + 16));
  return row;
}

constexpr int kSum = 18;  // column of kRowColumns
constexpr int kBody = 19;

template <class... First>
void insert_row(Statement& statement, const Row& row, std::string_view error, const First&... first) {
  const std::string joined = join_keys(row.keys);
  statement.run(first..., row.seq.value(), row.bot.value(), row.update_id.value(), std::int64_t{row.run},
                row.kind, joined, key_hash(row), std::int64_t{row.attempts}, std::int64_t{row.crashes},
                to_millis(row.due), millis(row.first_failed), to_millis(row.received),
                std::int64_t{row.lifetime.count()}, std::int64_t{row.answer_expires}, row.origin.value(),
                std::int64_t{row.call}, static_cast<std::int64_t>(row.doubt), std::int64_t{row.starts}, error,
                checksum(row, joined), row.body);
}

}  // namespace

RowTable::RowTable(Database& database, Queue queue)
    : queue_(queue),
      insert_(database.prepare(sql(queue, kInsert))),
      insert_dead_(database.prepare(sql(queue, kInsertDead))),
      insert_further_(database.prepare(sql(queue, "INSERT OR IGNORE INTO further_key VALUES ($q,?,?)"))),
      read_(database.prepare(sql(queue, "SELECT $row FROM $t WHERE seq=?"))),
      heads_(database.prepare(
          sql(queue, std::string("SELECT ") + kHeadColumns + " FROM $t WHERE seq>? ORDER BY seq"))),
      heads_of_key_(database.prepare(sql(
          queue,
          std::string("SELECT ") + kHeadColumns +
              " FROM $t WHERE key_hash=?1 AND seq>?2 UNION ALL SELECT "
              "r.seq, bot, keys, attempts, crashes, due, first_failed, received, lifetime, answer_expires "
              "FROM further_key f JOIN $t r ON r.seq=f.seq "
              "WHERE f.queue=$q AND f.key_hash=?1 AND f.seq>?2 ORDER BY 1"))),
      update_(database.prepare(sql(queue,
                                   "UPDATE $t SET attempts=?2, crashes=?3, due=?4, first_failed=?5, "
                                   "error=?6, starts=?7 WHERE seq=?1"))),
      erase_(database.prepare(sql(queue, "DELETE FROM $t WHERE seq=?"))),
      erase_further_(
          database.prepare(sql(queue, "DELETE FROM further_key WHERE queue=$q AND key_hash=? AND seq=?"))),
      bury_(database.prepare(sql(queue, kBury))),
      find_dead_(database.prepare(sql(queue, "SELECT $row, reason FROM dead WHERE queue=$q AND seq=?"))),
      revive_(database.prepare(sql(queue, kRevive))),
      erase_dead_(database.prepare(sql(queue, "DELETE FROM dead WHERE queue=$q AND seq=?"))),
      contains_(database.prepare(sql(queue, "SELECT 1 FROM $t WHERE seq=?"))),
      contains_dead_(database.prepare(sql(queue, "SELECT 1 FROM dead WHERE queue=$q AND seq=?"))),
      oldest_(database.prepare(sql(queue, "SELECT received FROM $t ORDER BY seq LIMIT 1"))) {}

void RowTable::insert_further_keys(const Row& row) {
  for (std::size_t i = 1; i < row.keys.size(); ++i) {
    if (row.keys[i].hash() == row.keys.front().hash()) continue;
    insert_further_.run(row.keys[i].hash().value(), row.seq.value());
  }
}

void RowTable::insert(const Row& row) {
  insert_row(insert_, row, "");
  insert_further_keys(row);
}

void RowTable::insert_dead(const Row& row, std::string_view reason, std::string_view error, WallTime died) {
  insert_row(insert_dead_, row, error, reason, to_millis(died));
}

std::optional<Row> RowTable::read(Seq seq, std::string* corrupt) {
  Cursor cursor = read_.rows(seq.value());
  if (!cursor.next()) return std::nullopt;
  std::string joined;
  Row row = row_at(cursor, seq, 0, joined);
  row.body = cursor.bytes(kBody);
  const std::int64_t sum = checksum(row, joined);
  if (sum != cursor.integer(kSum) && !rules::mutant("checksum_skipped")) {
    *corrupt = "row seq " + std::to_string(seq.value()) + " of table " + std::string(to_string(queue_)) +
               ": its checksum is " + std::to_string(sum) + ", stored is " +
               std::to_string(cursor.integer(kSum));
  }
  return row;
}

std::vector<Head> RowTable::heads(const LeaseRequest& request, const std::function<bool(Seq)>& skip) {
  std::vector<Head> heads;
  Cursor cursor = request.key ? heads_of_key_.rows(request.key->value(), request.after.value())
                              : heads_.rows(request.after.value());
  while (heads.size() < request.limit && cursor.next()) {
    const Seq seq(cursor.integer(0));
    if (skip(seq)) continue;
    Head head;
    head.seq = seq;
    for (const auto& key : split_keys(BotId(cursor.integer(1)), cursor.bytes(2)))
      head.keys.push_back(key.hash());
    head.attempts = static_cast<std::uint32_t>(cursor.integer(3));
    head.crashes = static_cast<std::uint32_t>(cursor.integer(4));
    head.due = from_millis(cursor.integer(5));
    if (!cursor.null(6)) head.first_failed = from_millis(cursor.integer(6));
    if (cursor.integer(9) != 0)
      head.expires = from_millis(cursor.integer(7)) + std::chrono::seconds(cursor.integer(8));
    heads.push_back(std::move(head));
  }
  return heads;
}

void RowTable::update(const Row& row, std::string_view error) {
  update_.run(row.seq.value(), std::int64_t{row.attempts}, std::int64_t{row.crashes}, to_millis(row.due),
              millis(row.first_failed), error, std::int64_t{row.starts});
}

void RowTable::erase(const Row& row) {
  erase_.run(row.seq.value());
  for (std::size_t i = 1; i < row.keys.size(); ++i)
    erase_further_.run(row.keys[i].hash().value(), row.seq.value());
}

void RowTable::bury(const Row& row, std::string_view reason, std::string_view error, WallTime died) {
  bury_.run(row.seq.value(), reason, to_millis(died), std::int64_t{row.attempts}, std::int64_t{row.crashes},
            error);
  erase(row);
}

std::optional<std::pair<Row, std::string>> RowTable::find_dead(Seq seq) {
  Cursor cursor = find_dead_.rows(seq.value());
  if (!cursor.next()) return std::nullopt;
  std::string joined;
  Row row = row_at(cursor, seq, 0, joined);
  return std::make_pair(std::move(row), std::string(cursor.bytes(kBody + 1)));
}

void RowTable::revive(Seq dead, const Row& row) {
  revive_.run(dead.value(), row.seq.value(), std::int64_t{row.run});
  insert_further_keys(row);
  erase_dead_.run(dead.value());
}

bool RowTable::contains(Seq seq) {
  Cursor live = contains_.rows(seq.value());
  if (live.next()) return true;
  Cursor dead = contains_dead_.rows(seq.value());
  return dead.next();
}

std::optional<WallTime> RowTable::oldest() {
  Cursor cursor = oldest_.rows();
  if (!cursor.next()) return std::nullopt;
  return from_millis(cursor.integer(0));
}

}  // namespace tgkeep::store
