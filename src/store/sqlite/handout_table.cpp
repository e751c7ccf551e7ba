#include "store/sqlite/handout_table.hpp"

#include <string>
#include <tgkeep/time.hpp>

#include "store/handout_order.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

HandoutTable::HandoutTable(Database& database)
    : insert_(database.prepare("INSERT INTO handout VALUES (?, ?, ?, ?)")),
      old_(database.prepare(std::string("SELECT id, NOT ") + kLive + " OR " + kMarkedDone +
                            " FROM handout h WHERE id>? AND id<? ORDER BY id LIMIT ?")),
      erase_(database.prepare("DELETE FROM handout WHERE id=?")),
      last_(database.integer("SELECT max(id) FROM handout")),
      committed_(last_) {}

Result<void> HandoutTable::note(const std::vector<Handout>& handouts) {
  if (const auto wrong = wrong_order(handouts, last_)) return *wrong;
  for (const Handout& handout : handouts) {
    const std::int64_t at = to_millis(handout.at);
    insert_.run(handout.id.value(), handout.seq.value(), at,
                sum_of(handout.id.value(), handout.seq.value(), at));
    last_ = handout.id;
  }
  sweep(handouts.size());
  return Result<void>();
}

void HandoutTable::sweep(std::size_t noted) {
  const std::size_t slice = slice_to_sweep(noted);
  std::vector<std::int64_t> settled;
  std::size_t seen = 0;
  {
    Cursor old = old_.rows(swept_, last_.value() - kHandoutsKept, static_cast<std::int64_t>(slice));
    for (; old.next(); ++seen) {
      swept_ = old.integer(0);
      if (old.integer(1) != 0) settled.push_back(swept_);
    }
  }
  for (const std::int64_t id : settled) erase_.run(id);
  if (seen < slice) swept_ = 0;
}

}  // namespace tgkeep::store
