#include "store/sqlite/browse_find.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "store/item_view.hpp"
#include "store/sqlite/item_source.hpp"

namespace tgkeep::store {

namespace {

std::vector<KeyHash> hashes(const std::vector<BotId>& bots, const std::string& key) {
  std::vector<KeyHash> hashes;
  hashes.reserve(bots.size());
  for (const BotId bot : bots) hashes.push_back(OrderingKey(bot, key).hash());
  return hashes;
}

bool is_still_here(Database& database, Queue queue, Seq seq) {
  Statement live = database.prepare("SELECT 1 FROM " + std::string(to_string(queue)) + " WHERE seq=?");
  Statement dead = database.prepare("SELECT 1 FROM dead WHERE queue=? AND seq=?");
  return live.rows(seq.value()).next() || dead.rows(static_cast<std::int64_t>(queue), seq.value()).next();
}

/// What was found in all places, in the order of the page; the first found of a seq counts.
class Found {
 public:
  void add(std::vector<StoredItem> items) {
    for (StoredItem& item : items) {
      const Seq seq = item.seq;
      items_.try_emplace(seq, std::move(item));
    }
  }
  std::vector<StoredItem> take(std::size_t most, bool newest_first) {
    std::vector<StoredItem> items;
    for (auto& [seq, item] : items_) items.push_back(std::move(item));
    if (newest_first) std::ranges::reverse(items);
    if (items.size() > most) items.resize(most);
    return items;
  }

 private:
  std::map<Seq, StoredItem> items_;
};

}  // namespace

std::vector<BotId> bots_of(Database& database, const std::string& path) {
  std::set<BotId> bots;
  // From one bot's rows to the next one's, by the primary key.
  Statement next = database.prepare("SELECT min(bot) FROM seen WHERE bot>?");
  std::int64_t last = -1;
  for (;;) {
    Cursor row = next.rows(last);
    if (!row.next() || row.null(0)) break;
    last = row.integer(0);
    bots.insert(BotId(last));
  }
  // What is older than the dedup window.
  for (const Queue queue : {Queue::inbox, Queue::outbox}) {
    for (const BotId bot : ItemSource::live(database, path, queue).bots()) bots.insert(bot);
  }
  return {bots.begin(), bots.end()};
}

// inbox.db first: what the archiver moves in the meantime is then found twice, never not at all.
ItemPage find_items(ReadView& view, const ItemFilter& filter, Seq after, std::size_t limit,
                    bool newest_first) {
  const std::size_t most = std::min(limit, kPageLimit) + 1;
  Database& database = view.database();
  std::vector<BotId> bots;
  if (!filter.key.empty()) bots = bots_of(database, view.path());
  Found found;
  for (ItemSource source : {ItemSource::live(database, view.path(), filter.queue),
                            ItemSource::dead(database, view.path(), filter.queue)}) {
    if (!filter.key.empty()) source.only_keys(hashes(bots, filter.key));
    found.add(source.search(view, filter, after, most, newest_first));
  }
  if (wants(filter, ItemState::done)) {
    view.each_day([&](Database& file, const DayFileEntry& day) {
      ItemSource source = ItemSource::day(file, day.path, filter.queue);
      if (!filter.key.empty()) {
        std::vector<BotId> all = source.bots();
        all.insert(all.end(), bots.begin(), bots.end());
        source.only_keys(hashes(all, filter.key));
      }
      std::vector<StoredItem> copies = source.search(view, filter, after, most, newest_first);
      // The live row counts, also where it does not match.
      std::erase_if(copies,
                    [&](const StoredItem& copy) { return is_still_here(database, filter.queue, copy.seq); });
      found.add(std::move(copies));
    });
  }
  return page_of(found.take(most, newest_first), most - 1);
}

std::optional<StoredItem> find_item(ReadView& view, Queue queue, Seq seq) {
  Database& database = view.database();
  const std::string only = "r.seq=" + std::to_string(seq.value());
  const ItemFilter any(queue);
  for (ItemSource source :
       {ItemSource::live(database, view.path(), queue), ItemSource::dead(database, view.path(), queue)}) {
    source.only(only);
    auto items = source.search(view, any, Seq(), 1, false);
    if (!items.empty()) return std::move(items.front());
  }
  std::optional<StoredItem> found;
  view.each_day([&](Database& file, const DayFileEntry& day) {
    if (found) return;
    ItemSource source = ItemSource::day(file, day.path, queue);
    source.only(only);
    auto items = source.search(view, any, Seq(), 1, false);
    if (!items.empty()) found = std::move(items.front());
  });
  return found;
}

}  // namespace tgkeep::store
