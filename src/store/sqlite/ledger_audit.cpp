// What opening a store repairs.
#include "store/sqlite/browse_audit.hpp"
#include "store/sqlite/ledger.hpp"

namespace tgkeep::store {

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
