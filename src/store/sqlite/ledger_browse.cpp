// What people ask a store for: dead letters, their retry, state.
#include "rules/mutant.hpp"
#include "store/sqlite/ledger.hpp"
#include "store/sqlite/row_text.hpp"
#include "store/sqlite/sum.hpp"

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
  QueueCounts& totals = books_[queue];
  if (found->reason.empty()) {
    --totals.held;
  } else if (--totals.dead[found->reason] == 0) {
    totals.dead.erase(found->reason);
  }
  Row& row = found->row;
  row.seq = books_.next_seq(queue);
  if (queue == Queue::inbox) row.origin = seq;
  ++row.run;
  row.attempts = 0;
  row.crashes = 0;
  row.starts = 0;
  row.due = WallTime{};
  row.first_failed.reset();
  row.answer_expires = false;
  rows(queue).erase_dead(seq);
  failures_.erase(queue, seq);
  rows(queue).insert(row, found->error);
  if (queue == Queue::inbox) seen_.rename(row.bot, row.update_id, seq, row.seq);
  ++totals.pending;
  changes.fresh(queue).push_back(head_of(row));
  return row.seq;
}

Result<std::optional<std::string>> Ledger::state(BotId bot, const std::string& space,
                                                 const std::string& key) {
  Cursor row = find_state_.rows(bot.value(), space, key);
  if (!row.next()) return std::optional<std::string>();
  const std::string_view bytes = row.bytes(0);
  const std::int64_t sum = sum_of(bot.value(), std::string_view(space), std::string_view(key), bytes);
  if (sum == row.integer(1) || rules::mutant("checksum_skipped")) return std::optional(std::string(bytes));
  return Error(Errc::corrupt, options_.path + ", table state: the row of bot " + std::to_string(bot.value()) +
                                  ", space '" + space + "', key '" + key +
                                  "' does not match its checksum; the disk or a hand changed it. Restore it "
                                  "from a backup, or delete that row while the process is stopped");
}

}  // namespace tgkeep::store
