#include "store/sqlite/ledger.hpp"

namespace tgkeep::store {

namespace {
constexpr std::size_t kBodyCache = 64U << 20;
}

Ledger::Ledger(Database& database, const Clock& clock, LedgerOptions options, Log log)
    : database_(database),
      clock_(clock),
      options_(std::move(options)),
      log_(std::move(log)),
      books_(database),
      inbox_(database, Queue::inbox),
      outbox_(database, Queue::outbox),
      finished_(database),
      failures_(database),
      flights_(database),
      seen_(database, options_.dedup_window, log_),
      handouts_(database),
      bodies_(kBodyCache),
      gaps_(database.integer("SELECT count(*) FROM gap")),
      find_gap_(database.prepare("SELECT 1 FROM gap WHERE key_hash=?")),
      open_gap_(database.prepare("INSERT OR IGNORE INTO gap VALUES (?)")),
      close_gap_(database.prepare("DELETE FROM gap WHERE key_hash=?")),
      put_state_(database.prepare("INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?, ?)")),
      erase_state_(database.prepare("DELETE FROM state WHERE bot=? AND space=? AND key=?")),
      find_state_(database.prepare("SELECT bytes, sum FROM state WHERE bot=? AND space=? AND key=?")) {
  if (books_.sound()) return;
  log_.error("totals_corrupt",
             {{"file", options_.path},
              {"remedy", "the totals do not match their checksum; check the disk, then the store"}});
}

std::int64_t& Ledger::waiting(Queue queue, const Row& row) {
  return row.attempts > 0 ? books_[queue].retrying : books_[queue].pending;
}

std::vector<PutResult> Ledger::put(std::vector<Update>& updates, Changes& changes) {
  const WallTime now = clock_.wall();
  std::vector<PutResult> results;
  results.reserve(updates.size());
  QueueCounts& totals = books_[Queue::inbox];
  for (Update& update : updates) {
    const Seq next(books_.last_seq(Queue::inbox).value() + 1);
    if (const auto original = seen_.note(update.bot, update.id, next, now)) {
      ++totals.duplicates;
      results.emplace_back(inbox_.contains(*original) ? *original : Seq(), true);
      continue;
    }
    const std::string unreadable = std::move(update.unreadable);
    Row row = row_of(std::move(update), books_.next_seq(Queue::inbox));
    results.emplace_back(row.seq, false);
    ++totals.stored;
    if (!unreadable.empty()) {
      inbox_.insert_dead(row, "unreadable", unreadable, now);
      ++totals.dead["unreadable"];
      continue;
    }
    inbox_.insert(row);
    ++waiting(Queue::inbox, row);
    changes.inbox.push_back(head_of(row));
    bodies_.add(std::move(row));
  }
  seen_.forget(now, updates.size());
  return results;
}

std::vector<Head> Ledger::heads(const LeaseRequest& request) {
  return rows(request.queue).heads(request, [&](Seq seq) { return flights_.contains(request.queue, seq); });
}

std::vector<Item> Ledger::begin(Queue queue, const std::vector<Seq>& seqs, Mark mark, Changes& changes) {
  const WallTime now = clock_.wall();
  std::vector<Item> items;
  items.reserve(seqs.size());
  for (const Seq seq : seqs) {
    if (flights_.contains(queue, seq)) continue;
    std::string corrupt;
    std::optional<Row> row;
    if (queue == Queue::inbox) row = bodies_.take(seq);
    if (!row) row = rows(queue).read(seq, &corrupt);
    if (!row) continue;
    --waiting(queue, *row);
    ++books_[queue].in_flight;
    Item item = item_of(queue, *row, books_.epoch(), has_gap(queue, *row));
    if (!corrupt.empty()) {
      item.corrupt = options_.path + ", " + corrupt +
                     "; the disk or a hand changed it. Restore the row from a backup if you can";
    }
    flights_.begin(queue, Flight(std::move(*row), now), mark, books_.epoch());
    changes.begun.emplace_back(queue, seq);
    items.push_back(std::move(item));
  }
  return items;
}

void Ledger::renew(Queue queue, const std::vector<Seq>& seqs) {
  for (const Seq seq : seqs) flights_.share(queue, seq);
}

StoreCounts Ledger::counts() {
  StoreCounts counts;
  counts.inbox = books_[Queue::inbox];
  counts.inbox.oldest = inbox_.oldest(books_.last_seq(Queue::inbox));
  counts.outbox = books_[Queue::outbox];
  counts.outbox.oldest = outbox_.oldest(books_.last_seq(Queue::outbox));
  return counts;
}

bool Ledger::has_gap(Queue queue, const Row& row) {
  if (queue != Queue::inbox || gaps_ == 0) return false;
  for (const auto& key : row.keys) {
    Cursor cursor = find_gap_.rows(key.hash().value());
    if (cursor.next()) return true;
  }
  return false;
}

void Ledger::open_gaps(const Row& row) {
  for (const auto& key : row.keys) {
    open_gap_.run(key.hash().value());
    gaps_ += database_.changes();
  }
}

void Ledger::close_gaps(const Row& row) {
  if (gaps_ == 0) return;
  for (const auto& key : row.keys) {
    close_gap_.run(key.hash().value());
    gaps_ -= database_.changes();
  }
}

void Ledger::committed() {
  books_.committed();
  finished_.committed();
  flights_.committed();
  handouts_.committed();
}

void Ledger::rolled_back() {
  books_.rolled_back();
  inbox_.rolled_back();
  outbox_.rolled_back();
  finished_.rolled_back();
  flights_.rolled_back();
  handouts_.rolled_back();
  bodies_.clear();
  gaps_ = database_.integer("SELECT count(*) FROM gap");
}

}  // namespace tgkeep::store
