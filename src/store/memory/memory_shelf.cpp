#include "store/memory/memory_shelf.hpp"

#include "rules/mutant.hpp"

namespace tgkeep::store {

namespace {

constexpr std::chrono::hours kDedupWindow{72};

}  // namespace

void MemoryShelf::open(WallTime now) {
  epoch_ = Epoch(epoch_.value() + 1);
  const auto inbox = inbox_.flights();
  const auto outbox = outbox_.flights();
  // A suspect ran alone (P7): if there is one, the crash was its, whatever else was in flight.
  bool suspect = false;
  for (const auto& [seq, mark] : inbox) suspect = suspect || mark == Mark::solo;
  for (const auto& [seq, mark] : inbox) recover_one(Queue::inbox, seq, mark, suspect, now);
  for (const auto& [seq, mark] : outbox) recover_one(Queue::outbox, seq, Mark::shared, false, now);
}

void MemoryShelf::recover_one(Queue name, Seq seq, Mark mark, bool beside_suspect, WallTime now) {
  constexpr const char* kError = "the process ended while it was in flight";
  MemoryQueue& rows = queue(name);
  Row& row = *rows.in_flight(seq);
  if (name == Queue::outbox) {
    // Sending a call runs no code of the bot's: no crash is a call's fault.
    ++rows.totals().in_doubt;
    if (row.doubt == DoubtPolicy::ask) return rows.hold(seq, kError, now);
    if (row.doubt == DoubtPolicy::skip) return die(name, row, "skipped", kError, now);
    return rows.put_back(row);
  }
  const bool solo = mark == Mark::solo;
  if ((solo || !beside_suspect) && !rules::mutant("crash_count_forgotten")) ++row.crashes;
  if (solo) return die(name, row, "crashed", kError, now);
  rows.put_back(row);
}

void MemoryShelf::forget_old(WallTime now) {
  while (!seen_order_.empty() && seen_order_.front().first < now - kDedupWindow) {
    const auto found = seen_.find(seen_order_.front().second);
    if (found != seen_.end() && found->second.at == seen_order_.front().first) seen_.erase(found);
    seen_order_.pop_front();
  }
}

PutResult MemoryShelf::put_one(Update& update, WallTime now) {
  const Id id(update.bot, update.id);
  const auto found = seen_.find(id);
  if (found != seen_.end() && !rules::mutant("no_dedup")) {
    ++inbox_.totals().duplicates;
    return PutResult(inbox_.contains(found->second.seq) ? found->second.seq : Seq(), true);
  }
  const Seq seq = inbox_.next_seq();
  seen_.insert_or_assign(id, Seen(seq, now));
  seen_order_.emplace_back(now, id);
  std::string unreadable = std::move(update.unreadable);
  Row row = row_of(std::move(update), seq);
  if (unreadable.empty()) {
    inbox_.add(std::move(row));
  } else {
    inbox_.add_dead(std::move(row), "unreadable", std::move(unreadable), now);
  }
  return PutResult(seq, false);
}

std::vector<PutResult> MemoryShelf::put(std::vector<Update> updates, WallTime now) {
  forget_old(now);
  std::vector<PutResult> results;
  results.reserve(updates.size());
  for (Update& update : updates) results.push_back(put_one(update, now));
  return results;
}

std::vector<Item> MemoryShelf::begin(Queue name, const std::vector<Seq>& seqs, Mark mark) {
  std::vector<Item> items;
  items.reserve(seqs.size());
  for (const Seq seq : seqs) {
    Row* row = queue(name).begin(seq, mark);
    if (row == nullptr) continue;
    bool gap = false;
    for (const auto& key : row->keys) gap = gap || (name == Queue::inbox && gaps_.contains(key.hash()));
    std::string body = row->body;
    items.push_back(item_of(name, *row, epoch(), gap));
    row->body = std::move(body);
  }
  return items;
}

void MemoryShelf::renew(Queue name, const std::vector<Seq>& seqs) {
  for (const Seq seq : seqs) queue(name).share(seq);
}

void MemoryShelf::finish(const Settlement& settlement, const Row& row, WallTime now) {
  for (const auto& key : row.keys) {
    if (settlement.queue == Queue::inbox) gaps_.erase(key.hash());
  }
  std::uint32_t n = 0;
  for (const Call& call : settlement.calls) outbox_.add(row_of(call, row, n++, outbox_.next_seq(), now));
  for (const StateWrite& write : settlement.state) {
    if (rules::mutant("state_dropped")) continue;
    auto key = std::make_tuple(row.bot, write.space, write.key);
    if (write.bytes) {
      state_.insert_or_assign(std::move(key), *write.bytes);
    } else {
      state_.erase(key);
    }
  }
  const Seq seq = row.seq;
  queue(settlement.queue).done(seq);
  if (settlement.queue == Queue::inbox) handouts_.done(seq);
}

void MemoryShelf::die(Queue name, const Row& row, std::string reason, std::string error, WallTime now) {
  if (leaves_gap(name, reason) && !rules::mutant("gap_lost")) {
    for (const auto& key : row.keys) gaps_.insert(key.hash());
  }
  queue(name).die(row.seq, std::move(reason), std::move(error), now);
}

bool MemoryShelf::settle_one(const Settlement& settlement, WallTime now) {
  MemoryQueue& rows = queue(settlement.queue);
  Row* row = rows.in_flight(settlement.seq);
  if (row == nullptr) return false;
  if (settlement.survived) row->crashes = 0;
  const bool doubt = settlement.kind == Settlement::Kind::doubt && settlement.queue == Queue::outbox;
  const bool asked = doubt && !rules::mutant("doubt_resent_blindly");
  if (doubt) ++rows.totals().in_doubt;
  if (settlement.kind == Settlement::Kind::done) {
    finish(settlement, *row, now);
  } else if (settlement.kind == Settlement::Kind::dead) {
    die(settlement.queue, *row, settlement.reason.empty() ? "unknown" : settlement.reason, settlement.error,
        now);
  } else if (asked && row->doubt == DoubtPolicy::skip) {
    die(settlement.queue, *row, "skipped", settlement.error, now);
  } else if (asked && row->doubt == DoubtPolicy::ask) {
    rows.hold(row->seq, settlement.error, now);
  } else {
    row->due = settlement.due;
    const bool counts = settlement.kind != Settlement::Kind::release || rules::mutant("release_counted");
    if (counts && settlement.counts) {
      rows.note_failure(*row, settlement.error, now);
      ++row->attempts;
      if (!row->first_failed) row->first_failed = now;
    }
    rows.put_back(*row);
  }
  return true;
}

std::vector<bool> MemoryShelf::settle(const std::vector<Settlement>& settlements, WallTime now) {
  std::vector<bool> written;
  written.reserve(settlements.size());
  for (const Settlement& settlement : settlements) written.push_back(settle_one(settlement, now));
  return written;
}

std::vector<Seq> MemoryShelf::in_flight(Queue name) const {
  std::vector<Seq> seqs;
  for (const auto& [seq, mark] : queue(name).flights()) seqs.push_back(seq);
  return seqs;
}

StoreCounts MemoryShelf::counts() const {
  StoreCounts counts;
  counts.inbox = inbox_.counts();
  counts.outbox = outbox_.counts();
  return counts;
}

std::optional<std::string> MemoryShelf::state(BotId bot, const std::string& space,
                                              const std::string& key) const {
  const auto found = state_.find(std::make_tuple(bot, space, key));
  if (found == state_.end()) return std::nullopt;
  return found->second;
}

std::string MemoryShelf::audit() const {
  std::string difference = inbox_.audit();
  if (difference.empty()) difference = outbox_.audit();
  return difference;
}

}  // namespace tgkeep::store
