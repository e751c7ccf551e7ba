// What people do to the items of a store: retry, drop, replay, erase. And handlers' state.
#include <algorithm>

#include "rules/mutant.hpp"
#include "store/sqlite/ledger.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {

constexpr const char* kErased = "erased";
constexpr int kReaders = 2000;  // milliseconds; those of the store itself are shorter

}  // namespace

void Ledger::leave_dead(Queue queue, Seq seq, const std::string& reason) {
  QueueCounts& totals = books_[queue];
  if (reason.empty()) {
    --totals.held;
  } else if (--totals.dead[reason] == 0) {
    totals.dead.erase(reason);
  }
  rows(queue).erase_dead(seq);
  failures_.erase(queue, seq);
}

std::uint32_t Ledger::run_of(std::optional<Seq> seq) {
  if (!seq) return 0;
  for (const char* table : {"inbox WHERE", "dead WHERE queue=0 AND"}) {
    Statement find = database_.prepare(std::string("SELECT run FROM ") + table + " seq=?");
    Cursor row = find.rows(seq->value());
    if (row.next()) return static_cast<std::uint32_t>(row.integer(0));
  }
  return 0;
}

// The newest run is the one that is remembered, so that a trace finds the others from it.
void Ledger::remember_run(const Row& row, std::optional<Seq> last) {
  if (last) {
    seen_.rename(row.bot, row.update_id, *last, row.seq);
  } else {
    seen_.note(row.bot, row.update_id, row.seq, clock_.wall());
  }
}

std::optional<Seq> Ledger::retry(Queue queue, Seq seq, Changes& changes) {
  auto found = rows(queue).find_dead(seq);
  if (!found) return std::nullopt;
  Row& row = found->row;
  leave_dead(queue, seq, found->reason);
  const auto last = queue == Queue::inbox ? seen_.last_run(row.bot, row.update_id) : std::nullopt;
  if (queue == Queue::inbox) row.origin = std::max(seq, last.value_or(seq));
  begin_anew(row, books_.next_seq(queue), std::max(row.run, run_of(last)) + 1);
  rows(queue).insert(row, found->error);
  if (queue == Queue::inbox) remember_run(row, last);
  ++books_[queue].pending;
  changes.fresh(queue).push_back(head_of(row));
  return row.seq;
}

std::vector<bool> Ledger::drop(Queue queue, const std::vector<Seq>& seqs, const std::string& by) {
  std::vector<bool> dropped;
  dropped.reserve(seqs.size());
  for (const Seq seq : seqs) {
    const auto found = rows(queue).find_dead(seq);
    dropped.push_back(found.has_value());
    if (!found) continue;
    leave_dead(queue, seq, found->reason);
    ++books_[queue].dropped[by];
  }
  return dropped;
}

std::vector<Replayed> Ledger::replay(const std::vector<ReplayCandidate>& candidates, bool force,
                                     Changes& changes) {
  std::vector<Replayed> results;
  results.reserve(candidates.size());
  for (const ReplayCandidate& candidate : candidates)
    results.push_back(replay_one(candidate, force, changes));
  return results;
}

Replayed Ledger::replay_one(const ReplayCandidate& candidate, bool force, Changes& changes) {
  const Seq seq = candidate.seq;
  const auto skipped = [seq](const char* why) { return Replayed(seq, Seq(), why); };
  const auto dead = inbox_.find_dead(seq);
  if (!dead && inbox_.waits(seq)) return skipped("waiting");
  if (!dead && !candidate.row) return skipped("not_found");
  const Row& row = dead ? dead->row : *candidate.row;
  if (!row.sound) return skipped("corrupt");
  const auto last = seen_.last_run(row.bot, row.update_id);
  if (last && *last > seq) {
    if (inbox_.waits(*last)) return skipped("waiting");
    if (!force) return skipped("replayed");
  }
  // Else whoever asks for the same range twice hands over what the first time made.
  if (!dead && row.run > 0 && !force) return skipped("replayed");
  if (dead) return Replayed(seq, *retry(Queue::inbox, seq, changes), "");
  Row again = row;
  again.origin = std::max(seq, last.value_or(seq));
  const std::uint32_t run = std::max({row.run, candidate.last_run, run_of(last)}) + 1;
  begin_anew(again, books_.next_seq(Queue::inbox), run);
  inbox_.insert(again);
  remember_run(again, last);
  ++books_[Queue::inbox].stored;
  ++books_[Queue::inbox].pending;
  changes.inbox.push_back(head_of(again));
  return Replayed(seq, again.seq, "");
}

ErasedHere Ledger::erase(const std::vector<ItemName>& items) {
  ErasedHere here;
  for (const ItemName& item : items) {
    if (flights_.contains(item.queue, item.seq)) {
      here.in_flight.push_back(item);
      continue;
    }
    if (finished_.erase(item.queue, item.seq)) {
      rows(item.queue).erase(item.seq);
      failures_.erase(item.queue, item.seq);
      ++here.erased.finished;
    } else if (erase_waiting(item.queue, item.seq)) {
      ++books_[item.queue].dropped[kErased];
      ++here.erased.waiting;
    } else {
      continue;
    }
    here.taken.push_back(item);
  }
  return here;
}

bool Ledger::erase_waiting(Queue queue, Seq seq) {
  if (const auto dead = rows(queue).find_dead(seq)) {
    leave_dead(queue, seq, dead->reason);
    return true;
  }
  std::string corrupt;  // it goes in any case
  const auto row = rows(queue).read(seq, &corrupt);
  if (!row) return false;
  if (queue == Queue::inbox) bodies_.take(seq);
  --waiting(queue, *row);
  if (leaves_gap(queue, kErased)) open_gaps(*row);
  rows(queue).erase(*row);
  failures_.erase(queue, seq);
  return true;
}

std::int64_t Ledger::erase_state(const std::vector<std::string>& keys) {
  std::int64_t erased = 0;
  Statement erase = database_.prepare("DELETE FROM state WHERE key=?");
  for (const std::string& key : keys) {
    erase.run(key);
    erased += database_.changes();
  }
  return erased;
}

// Deleted bytes stay in free pages, and copies of rows in pages from which they were moved long ago.
bool Ledger::rewrite_file() {
  database_.rewrite();
  return empty_wal();
}

bool Ledger::empty_wal() {
  return database_.checkpoint(SQLITE_CHECKPOINT_TRUNCATE, kReaders);
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
