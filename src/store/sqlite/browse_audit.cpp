#include "store/sqlite/browse_audit.hpp"

#include "store/sqlite/books.hpp"
#include "store/sqlite/row_cursor.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sum.hpp"
#include "store/sqlite/sum_checks.hpp"

namespace tgkeep::store {

namespace {

std::string number(Queue queue) {
  return std::to_string(static_cast<int>(queue));
}

QueueCounts count_rows(Database& database, Queue queue, QueueCounts found) {
  const std::string name(to_string(queue));
  const auto count = [&](const std::string& where) {
    return database.integer("SELECT count(*) FROM " + name + " WHERE " + live(queue) + " AND " + where);
  };
  found.pending = count("attempts=0 AND NOT " + flying(queue));
  found.retrying = count("attempts>0 AND NOT " + flying(queue));
  found.in_flight = count(flying(queue));
  found.held = database.integer("SELECT count(*) FROM dead WHERE reason='' AND queue=" + number(queue));
  found.dead.clear();
  Statement reasons = database.prepare(
      "SELECT reason, count(*) FROM dead WHERE reason<>'' AND queue=" + number(queue) + " GROUP BY reason");
  for (Cursor row = reasons.rows(); row.next();) found.dead[std::string(row.bytes(0))] = row.integer(1);
  return found;
}

std::optional<WallTime> oldest(Database& database, Queue queue) {
  Statement first = database.prepare("SELECT received FROM " + std::string(to_string(queue)) + " WHERE " +
                                     live(queue) + " ORDER BY seq LIMIT 1");
  Cursor row = first.rows();
  if (!row.next()) return std::nullopt;
  return from_millis(row.integer(0));
}

/// Bodies of dead letters, which nobody reads until they are retried. One that died of it is known already.
std::string audit_dead(Database& database) {
  Statement dead = database.prepare("SELECT seq, reason, died, " + std::string(kRowColumns) +
                                    " FROM dead WHERE reason<>'corrupt' ORDER BY queue, seq");
  for (Cursor row = dead.rows(); row.next();) {
    const Seq seq(row.integer(0));
    const RowRead read = read_dead_row(row, seq, 3, row.bytes(1), row.integer(2));
    if (!read.wrong.empty()) return "table dead, seq " + std::to_string(seq.value()) + ": " + read.wrong;
  }
  return "";
}

}  // namespace

std::string flying(Queue queue) {
  return "seq IN (SELECT seq FROM flight WHERE queue=" + number(queue) + ")";
}

std::string live(Queue queue) {
  return "seq NOT IN (SELECT seq FROM done WHERE queue=" + number(queue) + ")";
}

StoreCounts read_counts(Database& database) {
  const ReadTransaction snapshot(database);
  Books books(database);
  StoreCounts counts;
  counts.inbox = books[Queue::inbox];
  counts.inbox.oldest = oldest(database, Queue::inbox);
  counts.outbox = books[Queue::outbox];
  counts.outbox.oldest = oldest(database, Queue::outbox);
  return counts;
}

std::string audit_totals(Database& database, Queue queue) {
  Books books(database);
  if (!books.sound()) return "the totals do not match their checksum";
  const QueueCounts& totals = books[queue];
  const QueueCounts found = count_rows(database, queue, totals);
  const std::string name(to_string(queue));
  const auto differ = [&](const std::string& what, std::int64_t total, std::int64_t rows) {
    return name + ": the total of " + what + " is " + std::to_string(total) + ", its rows are " +
           std::to_string(rows);
  };
  if (found.pending != totals.pending) return differ("pending", totals.pending, found.pending);
  if (found.retrying != totals.retrying) return differ("retrying", totals.retrying, found.retrying);
  if (found.in_flight != totals.in_flight) return differ("in_flight", totals.in_flight, found.in_flight);
  if (found.held != totals.held) return differ("held", totals.held, found.held);
  for (const auto& [reason, count] : found.dead) {
    const auto total = totals.dead.find(reason);
    const std::int64_t known = total == totals.dead.end() ? 0 : total->second;
    if (known != count) return differ("dead:" + reason, known, count);
  }
  for (const auto& [reason, count] : totals.dead) {
    if (count != 0 && !found.dead.contains(reason)) return differ("dead:" + reason, count, 0);
  }
  const std::int64_t imbalance = Books::imbalance(totals);
  if (imbalance != 0)
    return name + ": stored is " + std::to_string(imbalance) + " more than what became of it";
  const std::int64_t homeless = database.integer("SELECT count(*) FROM done WHERE queue=" + number(queue) +
                                                 " AND seq NOT IN (SELECT seq FROM " + name + ")");
  if (homeless != 0) return name + ": " + std::to_string(homeless) + " marks of table done have no row";
  return "";
}

std::string audit_store(ReadView& view) {
  Database& database = view.database();
  const ReadTransaction snapshot(database);
  for (const Queue queue : {Queue::inbox, Queue::outbox}) {
    std::string difference = audit_totals(database, queue);
    if (!difference.empty()) return difference;
    view.go_on();
  }
  for (const SumCheck& check : sum_checks()) {
    Statement wrong = database.prepare(check.query() + " LIMIT 1");
    Cursor row = wrong.rows();
    if (row.next())
      return "table " + check.table + ", " + std::string(row.bytes(0)) + ": its checksum does not match";
    view.go_on();
  }
  return audit_dead(database);
}

Result<std::optional<std::string>> read_state(Database& database, const std::string& path, BotId bot,
                                              const std::string& space, const std::string& key) {
  Statement find = database.prepare("SELECT bytes, sum FROM state WHERE bot=? AND space=? AND key=?");
  Cursor row = find.rows(bot.value(), space, key);
  if (!row.next()) return std::optional<std::string>();
  const std::string_view bytes = row.bytes(0);
  if (sum_of(bot.value(), std::string_view(space), std::string_view(key), bytes) == row.integer(1))
    return std::optional(std::string(bytes));
  return Error(Errc::corrupt, path + ", table state: the row of bot " + std::to_string(bot.value()) +
                                  ", space '" + space + "', key '" + key +
                                  "' does not match its checksum; check the store");
}

}  // namespace tgkeep::store
