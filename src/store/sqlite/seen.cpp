#include "store/sqlite/seen.hpp"

#include "rules/mutant.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {
constexpr std::int64_t kSlice = 500;  // a delete of 20 k rows at once holds the writer for half a second
}

Seen::Seen(Database& database, std::chrono::milliseconds window, Log log)
    : database_(database),
      window_(window),
      log_(std::move(log)),
      insert_(database.prepare("INSERT INTO seen VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")),
      find_(database.prepare("SELECT seq, at, sum FROM seen WHERE bot=? AND update_id=?")),
      replace_(database.prepare("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)")),
      oldest_(database.prepare("SELECT at FROM seen INDEXED BY seen_by_time ORDER BY at LIMIT 1")),
      forget_(database.prepare("DELETE FROM seen WHERE (bot, update_id) IN (SELECT bot, update_id FROM seen "
                               "INDEXED BY seen_by_time WHERE at < ? ORDER BY at LIMIT ?)")) {}

std::optional<Seq> Seen::note(BotId bot, UpdateId id, Seq seq, WallTime now) {
  const std::int64_t at = to_millis(now);
  const std::int64_t sum = sum_of(bot.value(), id.value(), seq.value(), at);
  insert_.run(bot.value(), id.value(), seq.value(), at, sum);
  if (database_.changes() == 1) return std::nullopt;
  // An old row that is not pruned yet must not swallow a new update: ids may come again after a quiet week.
  const auto found = find(bot, id);
  if (found && found->second >= now - window_ && !rules::mutant("no_dedup")) return found->first;
  replace_.run(bot.value(), id.value(), seq.value(), at, sum);
  return std::nullopt;
}

std::optional<std::pair<Seq, WallTime>> Seen::find(BotId bot, UpdateId id) {
  Cursor found = find_.rows(bot.value(), id.value());
  if (!found.next()) return std::nullopt;
  if (sum_of(bot.value(), id.value(), found.integer(0), found.integer(1)) != found.integer(2)) {
    log_.error("seen_corrupt", {{"update_id", id.value()},
                                {"remedy",
                                 "a row of table seen does not match its checksum: the update is "
                                 "taken as a new one. Check the disk, then the store"}});
    return std::nullopt;
  }
  return std::make_pair(Seq(found.integer(0)), from_millis(found.integer(1)));
}

std::optional<Seq> Seen::last_run(BotId bot, UpdateId id) {
  Cursor found = find_.rows(bot.value(), id.value());
  if (!found.next()) return std::nullopt;
  return Seq(found.integer(0));
}

void Seen::rename(BotId bot, UpdateId id, Seq from, Seq to) {
  const auto found = find(bot, id);
  if (!found || found->first != from) return;
  const std::int64_t at = to_millis(found->second);
  replace_.run(bot.value(), id.value(), to.value(), at, sum_of(bot.value(), id.value(), to.value(), at));
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
