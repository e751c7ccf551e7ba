// How deliveries end: settle, and what open does for deliveries that a crash ended.
#include "rules/mutant.hpp"
#include "store/sqlite/ledger.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

std::vector<bool> Ledger::settle(const std::vector<Settlement>& settlements, Changes& changes) {
  const WallTime now = clock_.wall();
  std::vector<bool> written;
  written.reserve(settlements.size());
  for (const Settlement& settlement : settlements) {
    const Flight* flight = flights_.end(settlement.queue, settlement.seq);
    written.push_back(flight != nullptr);
    if (flight == nullptr) continue;
    --books_[settlement.queue].in_flight;
    settle_one(settlement, *flight, now, changes);
  }
  return written;
}

void Ledger::settle_one(const Settlement& settlement, const Flight& ended, WallTime now, Changes& changes) {
  using Kind = Settlement::Kind;
  const Queue queue = settlement.queue;
  const bool doubt = settlement.kind == Kind::doubt && queue == Queue::outbox;
  if (doubt) ++books_[queue].in_doubt;
  if (settlement.kind == Kind::done) return finish(settlement, ended, now, changes);
  Row row = ended.row;
  if (settlement.survived) row.crashes = 0;
  if (settlement.kind == Kind::dead) {
    return die(queue, row, settlement.reason.empty() ? "unknown" : settlement.reason, settlement.error, now);
  }
  const bool asked = doubt && !rules::mutant("doubt_resent_blindly");
  if (asked && row.doubt == DoubtPolicy::skip) return die(queue, row, "skipped", settlement.error, now);
  if (asked && row.doubt == DoubtPolicy::ask) return hold(queue, row, settlement.error, now);
  row.due = settlement.due;
  const bool counts = settlement.kind != Kind::release || rules::mutant("release_counted");
  if (counts && settlement.counts) {
    ++row.attempts;
    if (!row.first_failed) row.first_failed = now;
    failures_.insert(queue, row.seq, row.attempts, now, settlement.error);
  }
  changes.back.emplace_back(queue, row.seq);
  put_back(queue, std::move(row), settlement.error);
}

void Ledger::finish(const Settlement& settlement, const Flight& ended, WallTime now, Changes& changes) {
  const Row& row = ended.row;
  if (settlement.queue == Queue::inbox) close_gaps(row);
  std::uint32_t n = 0;
  for (const Call& call : settlement.calls) {
    const Row put = row_of(call, row, n++, books_.next_seq(Queue::outbox), now);
    outbox_.insert(put);
    ++books_[Queue::outbox].stored;
    ++waiting(Queue::outbox, put);
    changes.outbox.push_back(head_of(put));
  }
  for (const StateWrite& write : settlement.state) {
    if (rules::mutant("state_dropped")) continue;
    if (write.bytes) {
      const std::int64_t sum = sum_of(row.bot.value(), std::string_view(write.space),
                                      std::string_view(write.key), std::string_view(*write.bytes));
      put_state_.run(row.bot.value(), write.space, write.key, Blob(*write.bytes), sum);
    } else {
      erase_state_.run(row.bot.value(), write.space, write.key);
    }
  }
  leave(settlement.queue, ended, now);
  ++books_[settlement.queue].done;
}

void Ledger::leave(Queue queue, const Flight& ended, WallTime now) {
  const Row& row = ended.row;
  const std::int64_t most = skipping_ ? kMostFinished / 2 : kMostFinished;
  if (options_.history && finished_.count() < most) {
    rows(queue).erase_further_keys(row);
    finished_.insert(queue, row.seq, ended.started, now);
    skipping_ = false;
    return;
  }
  if (options_.history && !skipping_) {
    log_.warning("history_skipped",
                 {{"file", options_.path},
                  {"why", "the archiver is " + std::to_string(kMostFinished) +
                              " items behind; until it has caught up, finished ones are not kept"}});
  }
  skipping_ = options_.history;
  rows(queue).erase(row);
  if (row.attempts > 0) failures_.erase(queue, row.seq);
}

void Ledger::forget(const std::vector<ItemName>& copied) {
  for (const ItemName& item : copied) {
    if (!finished_.erase(item.queue, item.seq)) continue;
    rows(item.queue).erase(item.seq);
    failures_.erase(item.queue, item.seq);
  }
}

void Ledger::put_back(Queue queue, Row row, std::string_view error) {
  ++row.starts;
  rows(queue).update(row, error);
  ++waiting(queue, row);
}

void Ledger::die(Queue queue, const Row& row, const std::string& reason, std::string_view error,
                 WallTime now) {
  if (leaves_gap(queue, reason) && !rules::mutant("gap_lost")) open_gaps(row);
  rows(queue).bury(row, reason, error, now);
  ++books_[queue].dead[reason];
}

void Ledger::hold(Queue queue, const Row& row, std::string_view error, WallTime now) {
  rows(queue).bury(row, "", error, now);
  ++books_[queue].held;
}

void Ledger::recover() {
  const WallTime now = clock_.wall();
  books_.next_epoch();
  repair_marks();
  // A suspect ran alone (P7): if there is one, the crash was its, whatever else was in flight.
  const bool suspect = database_.integer("SELECT count(*) FROM flight WHERE solo=1 AND queue=0") > 0;
  Statement flights = database_.prepare("SELECT queue, seq, solo FROM flight");
  {
    Cursor flight = flights.rows();
    while (flight.next()) {
      const Queue queue = flight.integer(0) == 0 ? Queue::inbox : Queue::outbox;
      const bool solo = flight.integer(2) != 0;
      std::string corrupt;  // `begin` will find it again
      std::optional<Row> row = rows(queue).read(Seq(flight.integer(1)), &corrupt);
      if (!row) continue;
      --books_[queue].in_flight;
      recover_one(queue, std::move(*row), solo, suspect, now);
    }
  }
  database_.exec("DELETE FROM flight");
}

void Ledger::recover_one(Queue queue, Row row, bool solo, bool others_solo, WallTime now) {
  constexpr std::string_view kError = "the process ended while it was in flight";
  // Sending a call runs no code of the bot's: no crash is a call's fault.
  if (queue == Queue::outbox) {
    ++books_[queue].in_doubt;
    if (row.doubt == DoubtPolicy::ask) return hold(queue, row, kError, now);
    if (row.doubt == DoubtPolicy::skip) return die(queue, row, "skipped", kError, now);
    return put_back(queue, std::move(row), kError);
  }
  if ((solo || !others_solo) && !rules::mutant("crash_count_forgotten")) ++row.crashes;
  if (solo) return die(queue, row, "crashed", kError, now);
  put_back(queue, std::move(row), kError);
}

}  // namespace tgkeep::store
