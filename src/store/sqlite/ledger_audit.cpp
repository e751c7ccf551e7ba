// Whether the rows are what the totals say (P8) and what they were written as.
#include <array>

#include "store/sqlite/ledger.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

std::string flying(Queue queue) {
  return "seq IN (SELECT seq FROM flight WHERE queue=" + std::to_string(static_cast<int>(queue)) + ")";
}

std::string live(Queue queue) {
  return "seq NOT IN (SELECT seq FROM done WHERE queue=" + std::to_string(static_cast<int>(queue)) + ")";
}

}  // namespace

std::string Ledger::audit() {
  std::string difference = audit_queue(Queue::inbox);
  if (difference.empty()) difference = audit_queue(Queue::outbox);
  if (difference.empty()) difference = audit_sums();
  return difference;
}

std::string Ledger::audit_queue(Queue queue) {
  const std::string name(to_string(queue));
  const std::string id = std::to_string(static_cast<int>(queue));
  const auto count = [&](const std::string& where) {
    return database_.integer("SELECT count(*) FROM " + name + " WHERE " + live(queue) + " AND " + where);
  };
  QueueCounts found = books_[queue];
  found.pending = count("attempts=0 AND NOT " + flying(queue));
  found.retrying = count("attempts>0 AND NOT " + flying(queue));
  found.in_flight = count(flying(queue));
  found.held = database_.integer("SELECT count(*) FROM dead WHERE reason='' AND queue=" + id);
  found.dead.clear();
  Statement reasons = database_.prepare("SELECT reason, count(*) FROM dead WHERE reason<>'' AND queue=" + id +
                                        " GROUP BY reason");
  for (Cursor row = reasons.rows(); row.next();) found.dead[std::string(row.bytes(0))] = row.integer(1);

  const QueueCounts& totals = books_[queue];
  const auto differ = [&](const std::string& what, std::int64_t total, std::int64_t rows) {
    return name + ": the total of " + what + " is " + std::to_string(total) + ", its rows are " +
           std::to_string(rows);
  };
  if (found.pending != totals.pending) return differ("pending", totals.pending, found.pending);
  if (found.retrying != totals.retrying) return differ("retrying", totals.retrying, found.retrying);
  if (found.in_flight != totals.in_flight) return differ("in_flight", totals.in_flight, found.in_flight);
  if (found.held != totals.held) return differ("held", totals.held, found.held);
  for (const auto& [reason, count_of_reason] : found.dead) {
    const auto total = totals.dead.find(reason);
    if (total == totals.dead.end()) return differ("dead:" + reason, 0, count_of_reason);
    if (total->second != count_of_reason) return differ("dead:" + reason, total->second, count_of_reason);
  }
  if (found.dead.size() != totals.dead.size()) return name + ": a total of dead letters has no rows";
  const std::int64_t imbalance = Books::imbalance(totals);
  if (imbalance != 0)
    return name + ": stored is " + std::to_string(imbalance) + " more than what became of it";
  const std::int64_t homeless = database_.integer("SELECT count(*) FROM done WHERE queue=" + id +
                                                  " AND seq NOT IN (SELECT seq FROM " + name + ")");
  if (homeless != 0) return name + ": " + std::to_string(homeless) + " marks of table done have no row";
  return "";
}

std::string Ledger::audit_sums() {
  class Check {
   public:
    Check(std::string table, std::string sum, std::string which)
        : table(std::move(table)), sum(std::move(sum)), which(std::move(which)) {}
    std::string table;
    std::string sum;    ///< a condition that holds for rows which are not as they were written
    std::string which;  ///< names a row
  };
  const std::string marks = "marks<>tgkeep_sum(" + std::string(kMarkedColumns);
  const std::array<Check, 6> checks{
      Check("inbox", marks + ")", "'seq ' || seq"),
      Check("outbox", marks + ")", "'seq ' || seq"),
      Check("dead", marks + ", reason, died)", "'seq ' || seq"),
      Check("done", "sum<>tgkeep_sum(queue, seq, started, ended)", "'seq ' || seq"),
      Check("seen", "sum<>tgkeep_sum(bot, update_id, seq, at)", "'update ' || update_id"),
      Check("state", "sum<>tgkeep_sum(bot, space, key, bytes)", "'space ' || space || ', key ' || key"),
  };
  for (const Check& check : checks) {
    Statement query = database_.prepare("SELECT " + check.which + " FROM " + check.table + " WHERE " +
                                        check.sum + " LIMIT 1");
    Cursor row = query.rows();
    if (row.next())
      return "table " + check.table + ", " + std::string(row.bytes(0)) + ": its checksum does not match";
  }
  return "";
}

// Whatever these marks were meant for waits again: rather an update that comes twice than one that is lost.
void Ledger::repair_marks() {
  const std::int64_t erased = finished_.erase_unsound();
  if (erased == 0) return;
  log_.error("done_marks_corrupt",
             {{"file", options_.path},
              {"marks", erased},
              {"remedy", "so many finished items are handed over again; check the disk, then the store"}});
  for (const Queue queue : {Queue::inbox, Queue::outbox}) {
    QueueCounts& totals = books_[queue];
    const std::int64_t before = totals.pending + totals.retrying;
    const std::string waiting =
        " FROM " + std::string(to_string(queue)) + " WHERE " + live(queue) + " AND NOT " + flying(queue);
    totals.pending = database_.integer("SELECT count(*)" + waiting + " AND attempts=0");
    totals.retrying = database_.integer("SELECT count(*)" + waiting + " AND attempts>0");
    totals.done -= totals.pending + totals.retrying - before;
    Statement seqs = database_.prepare("SELECT seq" + waiting);
    for (Cursor row = seqs.rows(); row.next();) {
      std::string corrupt;  // `begin` will find it again
      if (const auto found = rows(queue).read(Seq(row.integer(0)), &corrupt))
        rows(queue).insert_further_keys(*found);
    }
  }
}

}  // namespace tgkeep::store
