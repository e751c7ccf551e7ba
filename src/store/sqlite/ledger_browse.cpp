// What people ask a store for: dead letters, their retry, state, and whether the books balance.
#include "store/sqlite/ledger.hpp"
#include "store/sqlite/row_text.hpp"

namespace tgkeep::store {

std::vector<DeadLetter> Ledger::dead_letters(Queue queue, Seq after, std::size_t limit) {
  std::vector<DeadLetter> letters;
  Cursor row = dead_letters_.rows(static_cast<std::int64_t>(queue), after.value(),
                                  static_cast<std::int64_t>(limit & 0x7fffffff));
  while (row.next()) {
    DeadLetter letter;
    letter.queue = queue;
    letter.seq = Seq(row.integer(0));
    letter.bot = BotId(row.integer(1));
    letter.update_id = UpdateId(row.integer(2));
    letter.kind = row.bytes(3);
    const auto keys = split_keys(letter.bot, row.bytes(4));
    if (!keys.empty()) letter.key = keys.front().text();
    letter.reason = row.bytes(5);
    letter.error = row.bytes(6);
    letter.attempts = static_cast<std::uint32_t>(row.integer(7));
    letter.crashes = static_cast<std::uint32_t>(row.integer(8));
    letter.received = from_millis(row.integer(9));
    letter.died = from_millis(row.integer(10));
    letter.body = row.bytes(11);
    letters.push_back(std::move(letter));
  }
  return letters;
}

std::optional<Seq> Ledger::retry(Queue queue, Seq seq, Changes& changes) {
  auto found = rows(queue).find_dead(seq);
  if (!found) return std::nullopt;
  auto& [row, reason] = *found;
  QueueCounts& totals = books_[queue];
  if (reason.empty()) {
    --totals.held;
  } else if (--totals.dead[reason] == 0) {
    totals.dead.erase(reason);
  }
  row.seq = books_.next_seq(queue);
  ++row.run;
  row.attempts = 0;
  row.crashes = 0;
  row.due = WallTime{};
  row.first_failed.reset();
  row.answer_expires = false;
  rows(queue).revive(seq, row);
  if (queue == Queue::inbox) seen_.rename(row.bot, row.update_id, seq, row.seq);
  ++totals.pending;
  changes.fresh(queue).push_back(head_of(row));
  return row.seq;
}

std::optional<std::string> Ledger::state(BotId bot, const std::string& space, const std::string& key) {
  Cursor row = find_state_.rows(bot.value(), space, key);
  if (!row.next()) return std::nullopt;
  return std::string(row.bytes(0));
}

std::string Ledger::audit() {
  std::string difference = audit_queue(Queue::inbox);
  if (difference.empty()) difference = audit_queue(Queue::outbox);
  return difference;
}

std::string Ledger::audit_queue(Queue queue) {
  const std::string name(to_string(queue));
  const std::string id = std::to_string(static_cast<int>(queue));
  const std::string flying = "seq IN (SELECT seq FROM flight WHERE queue=" + id + ")";
  QueueCounts found = books_[queue];
  found.pending = database_.integer("SELECT count(*) FROM " + name + " WHERE attempts=0 AND NOT " + flying);
  found.retrying = database_.integer("SELECT count(*) FROM " + name + " WHERE attempts>0 AND NOT " + flying);
  found.in_flight = database_.integer("SELECT count(*) FROM " + name + " WHERE " + flying);
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
  for (const auto& [reason, count] : found.dead) {
    const auto total = totals.dead.find(reason);
    if (total == totals.dead.end()) return differ("dead:" + reason, 0, count);
    if (total->second != count) return differ("dead:" + reason, total->second, count);
  }
  if (found.dead.size() != totals.dead.size()) return name + ": a total of dead letters has no rows";
  const std::int64_t imbalance = Books::imbalance(totals);
  if (imbalance != 0)
    return name + ": stored is " + std::to_string(imbalance) + " more than what became of it";
  return "";
}

}  // namespace tgkeep::store
