#include "store/sqlite/item_source.hpp"

#include <optional>
#include <set>

#include "store/item_view.hpp"
#include "store/sqlite/row_cursor.hpp"
#include "store/sqlite/row_text.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

/// Rows that are looked at in one transaction.
constexpr std::size_t kSlice = 4000;

// Columns of the search, the same for each place: no body, which most rows are not asked for.
enum Column { kSeq, kBot, kUpdate, kKind, kKeys, kAttempts, kReceived, kReason, kFlying, kStarted, kEnded };

constexpr const char* kShared = "r.seq, r.bot, r.update_id, r.kind, r.keys, r.attempts, r.received, ";
constexpr const char* kLiveColumns =
    "'', EXISTS(SELECT 1 FROM flight f WHERE f.queue=$q AND f.seq=r.seq), d.started, d.ended FROM $t r "
    "LEFT JOIN done d ON d.queue=$q AND d.seq=r.seq";
constexpr const char* kDeadColumns = "r.reason, 0, NULL, r.died FROM dead r";
constexpr const char* kDayColumns = "'', 0, r.started, r.ended FROM item r";

std::string number(Queue queue) {
  return queue == Queue::inbox ? "0" : "1";
}

std::string filled(std::string text, Queue queue) {
  replace_all(text, "$q", number(queue));
  replace_all(text, "$t", to_string(queue));
  return text;
}

// All that the filter looks at; keys only when it does.
StoredItem glance(const Cursor& row, Queue queue, bool dead, const ItemFilter& filter) {
  StoredItem item;
  item.queue = queue;
  item.seq = Seq(row.integer(kSeq));
  item.bot = BotId(row.integer(kBot));
  item.update_id = UpdateId(row.integer(kUpdate));
  item.kind = row.bytes(kKind);
  if (!filter.key.empty()) {
    for (const auto& key : split_keys(item.bot, row.bytes(kKeys))) item.keys.push_back(key.text());
  }
  item.received = from_millis(row.integer(kReceived));
  item.reason = row.bytes(kReason);
  if (!row.null(kStarted)) item.started = from_millis(row.integer(kStarted));
  if (!row.null(kEnded)) item.ended = from_millis(row.integer(kEnded));
  if (dead) {
    item.state = item.reason.empty() ? ItemState::held : ItemState::dead;
  } else if (item.ended) {
    item.state = ItemState::done;
  } else if (row.integer(kFlying) != 0) {
    item.state = ItemState::in_flight;
  } else {
    item.state = row.integer(kAttempts) > 0 ? ItemState::retrying : ItemState::pending;
  }
  return item;
}

}  // namespace

ItemSource::ItemSource(Database& database, std::string path, Queue queue, Place place)
    : database_(&database), path_(std::move(path)), queue_(queue), place_(place) {
  table_ = place == Place::live ? std::string(to_string(queue)) : place == Place::dead ? "dead" : "item";
  own_ = place == Place::live ? "1" : "r.queue=" + number(queue);
}

ItemSource ItemSource::live(Database& database, const std::string& path, Queue queue) {
  return ItemSource(database, path, queue, Place::live);
}

ItemSource ItemSource::dead(Database& database, const std::string& path, Queue queue) {
  return ItemSource(database, path, queue, Place::dead);
}

ItemSource ItemSource::day(Database& database, const std::string& path, Queue queue) {
  return ItemSource(database, path, queue, Place::day);
}

bool ItemSource::may_hold(const ItemFilter& filter) const noexcept {
  if (place_ == Place::dead) return wants(filter, ItemState::dead) || wants(filter, ItemState::held);
  if (place_ == Place::day) return wants(filter, ItemState::done);
  return wants(filter, ItemState::pending) || wants(filter, ItemState::in_flight) ||
         wants(filter, ItemState::retrying) || wants(filter, ItemState::done);
}

void ItemSource::only_keys(const std::vector<KeyHash>& keys) {
  std::string hashes;
  for (const KeyHash key : keys) hashes += (hashes.empty() ? "" : ",") + std::to_string(key.value());
  const std::string in = " WHERE key_hash IN (" + hashes + ")";
  const std::string of_queue = in + " AND queue=" + number(queue_);
  if (place_ == Place::live) {
    // Finished ones have no rows of further keys: their keys are read, as those of dead letters.
    only("r.seq IN (SELECT seq FROM " + table_ + in + " UNION ALL SELECT seq FROM further_key" + of_queue +
         " UNION ALL SELECT seq FROM done WHERE queue=" + number(queue_) + ")");
  } else if (place_ == Place::day) {
    only("r.seq IN (SELECT seq FROM item_key" + of_queue + ")");
  }  // dead letters are few: their keys are read
}

std::string ItemSource::search_text(const ItemFilter& filter, Seq after, bool newest_first) const {
  const char* columns = place_ == Place::live   ? kLiveColumns
                        : place_ == Place::dead ? kDeadColumns
                                                : kDayColumns;
  std::string text =
      "SELECT " + std::string(kShared) + filled(columns, queue_) + " WHERE " + own_ + conditions_;
  if (filter.first_id) text += " AND r.update_id>=" + std::to_string(filter.first_id->value());
  if (filter.last_id) text += " AND r.update_id<=" + std::to_string(filter.last_id->value());
  if (filter.from) text += " AND r.received>=" + std::to_string(tgkeep::to_millis(*filter.from));
  if (filter.to) text += " AND r.received<" + std::to_string(tgkeep::to_millis(*filter.to));
  if (!newest_first) return text + " AND r.seq>" + std::to_string(after.value()) + " ORDER BY r.seq";
  if (after != Seq()) text += " AND r.seq<" + std::to_string(after.value());
  return text + " ORDER BY r.seq DESC";
}

// Fills in the rest of the item, from its whole row.
bool ItemSource::is_there(Statement& row, StoredItem& item) const {
  Cursor cursor = row.rows(item.seq.value());
  if (!cursor.next()) return false;
  RowRead read = place_ == Place::dead
                     ? read_dead_row(cursor, item.seq, 0, item.reason, tgkeep::to_millis(*item.ended))
                     : read_row(cursor, item.seq, 0);
  StoredItem whole = stored_item(queue_, item.state, std::move(read.row));
  whole.reason = std::move(item.reason);
  whole.started = item.started;
  whole.ended = item.ended;
  whole.error = cursor.bytes(kErrorColumn);
  if (!read.wrong.empty()) {
    whole.corrupt = path_ + ", row seq " + std::to_string(item.seq.value()) + " of table " + table_ + ": " +
                    read.wrong + "; the disk or a hand changed it";
  }
  item = std::move(whole);
  return true;
}

std::vector<StoredItem> ItemSource::search(ReadView& view, const ItemFilter& filter, Seq after,
                                           std::size_t most, bool newest_first) const {
  std::vector<StoredItem> found;
  if (most == 0 || !may_hold(filter)) return found;
  Statement whole = database_->prepare("SELECT " + std::string(kRowColumns) + " FROM " + table_ +
                                       " r WHERE " + own_ + " AND r.seq=?");
  for (;;) {
    view.go_on();
    std::optional<ReadTransaction> snapshot;
    if (!database_->in_transaction()) snapshot.emplace(*database_);
    Statement search = database_->prepare(search_text(filter, after, newest_first));
    Cursor row = search.rows();
    std::size_t looked_at = 0;
    while (looked_at < kSlice && row.next()) {
      ++looked_at;
      StoredItem item = glance(row, queue_, place_ == Place::dead, filter);
      after = item.seq;
      if (!matches(filter, item) || !is_there(whole, item)) continue;
      found.push_back(std::move(item));
      if (found.size() == most) return found;
    }
    if (looked_at < kSlice) return found;
  }
}

std::vector<BotId> ItemSource::bots() const {
  std::set<BotId> bots;
  const std::string text = "SELECT r.bot FROM " + table_ + " r WHERE " + own_ + " ORDER BY r.seq";
  for (const char* order : {"", " DESC"}) {
    Statement end = database_->prepare(text + order + " LIMIT 1");
    Cursor row = end.rows();
    if (row.next()) bots.insert(BotId(row.integer(0)));
  }
  return {bots.begin(), bots.end()};
}

}  // namespace tgkeep::store
