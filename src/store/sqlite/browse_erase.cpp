#include "store/sqlite/browse_erase.hpp"

#include "store/sqlite/item_source.hpp"

namespace tgkeep::store {

namespace {

/// Milliseconds for those who read a day file to end.
constexpr int kReaders = 5000;
constexpr std::size_t kPage = 200;  // bodies of so many items are in memory at once

template <class Use>
void each_concerned(ReadView& view, const ItemSource& source, const EraseRequest& request, const Use& use) {
  const ItemFilter any(source.queue());
  Seq after;
  for (;;) {
    const std::vector<StoredItem> page = source.search(view, any, after, kPage, false);
    for (const StoredItem& item : page) {
      if (request.concerns(item)) use(ItemName(item.queue, item.seq));
      after = item.seq;
    }
    if (page.size() < kPage) return;
  }
}

void erase_in_day(Database& day, const std::vector<ItemName>& items) {
  day.exec("PRAGMA secure_delete=ON");
  day.exec("BEGIN IMMEDIATE");
  for (const char* table : {"item", "item_key", "failure"}) {
    Statement erase = day.prepare(std::string("DELETE FROM ") + table + " WHERE queue=? AND seq=?");
    for (const ItemName& item : items) erase.run(static_cast<std::int64_t>(item.queue), item.seq.value());
  }
  day.exec("COMMIT");
  // What was moved from page to page before left copies behind: only writing the file anew takes all away.
  day.rewrite();
}

/// Until all of the WAL is in the file, the old pages are there, too.
void wash(Database& day, const std::string& path) {
  if (day.checkpoint(SQLITE_CHECKPOINT_TRUNCATE, kReaders)) return;
  throw SqliteFailure(SQLITE_BUSY, "the items were erased, but their bytes are still in " + path +
                                       ", because somebody reads it all the time; end such programs "
                                       "(sqlite3, a backup that runs) and erase once more");
}

}  // namespace

Concerned find_concerned(ReadView& view, const EraseRequest& request) {
  Concerned found;
  found.folder = view.folder();
  if (!request.concerns) return found;
  Database& database = view.database();
  for (const Queue queue : {Queue::inbox, Queue::outbox}) {
    for (const ItemSource& source :
         {ItemSource::live(database, view.path(), queue), ItemSource::dead(database, view.path(), queue)}) {
      each_concerned(view, source, request, [&](const ItemName& name) { found.here.push_back(name); });
    }
  }
  view.each_day([&](Database& file, const DayFileEntry& day) {
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      each_concerned(view, ItemSource::day(file, day.path, queue), request,
                     [&](const ItemName& name) { found.days[day.day].push_back(name); });
    }
  });
  return found;
}

std::int64_t erase_in_days(const Concerned& found, DayFiles* files, ItemNames& counted) {
  std::int64_t erased = 0;
  DayFiles own(found.folder, "");
  DayFiles& all = files != nullptr ? *files : own;
  for (const auto& [day, items] : found.days) {
    erase_in_day(all.open(day).database(), items);
    for (const ItemName& item : items) erased += counted.emplace(item.queue, item.seq).second ? 1 : 0;
  }
  // Those, too, that an erasing before this one could not wash.
  for (const DayFileEntry& day : list_day_files(found.folder)) {
    if (day.path.ends_with(".db")) wash(all.open(day.day).database(), day.path);
  }
  return erased;
}

}  // namespace tgkeep::store
