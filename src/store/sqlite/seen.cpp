#include "store/sqlite/seen.hpp"

#include "rules/mutant.hpp"

namespace tgkeep::store {

namespace {
constexpr std::int64_t kSlice = 500;  // a delete of 20 k rows at once holds the writer for half a second
}

Seen::Seen(Database& database, std::chrono::milliseconds window)
    : database_(database),
      window_(window),
      insert_(database.prepare("INSERT INTO seen VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")),
      find_(database.prepare("SELECT seq, at FROM seen WHERE bot=? AND update_id=?")),
      replace_(database.prepare("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)")),
      rename_(database.prepare("UPDATE seen SET seq=?4 WHERE bot=?1 AND update_id=?2 AND seq=?3")),
      oldest_(database.prepare("SELECT at FROM seen INDEXED BY seen_by_time ORDER BY at LIMIT 1")),
      forget_(database.prepare("DELETE FROM seen WHERE (bot, update_id) IN (SELECT bot, update_id FROM seen "
                               "INDEXED BY seen_by_time WHERE at < ? ORDER BY at LIMIT ?)")) {}

std::optional<Seq> Seen::note(BotId bot, UpdateId id, Seq seq, WallTime now) {
  insert_.run(bot.value(), id.value(), seq.value(), to_millis(now));
  if (database_.changes() == 1) return std::nullopt;
  {
    Cursor found = find_.rows(bot.value(), id.value());
    // An old row that is not pruned yet must not swallow a new update: ids may come again after a quiet week.
    const bool old = !found.next() || from_millis(found.integer(1)) < now - window_;
    if (!old && !rules::mutant("no_dedup")) return Seq(found.integer(0));
  }
  replace_.run(bot.value(), id.value(), seq.value(), to_millis(now));
  return std::nullopt;
}

void Seen::rename(BotId bot, UpdateId id, Seq from, Seq to) {
  rename_.run(bot.value(), id.value(), from.value(), to.value());
}

void Seen::forget(WallTime now, std::size_t puts) {
  const std::int64_t before = to_millis(now - window_);
  for (std::size_t slices = 1 + puts / 250; slices > 0; --slices) {
    {
      Cursor oldest = oldest_.rows();
      if (!oldest.next() || oldest.integer(0) >= before) return;
    }
    forget_.run(before, kSlice);
  }
}

}  // namespace tgkeep::store
