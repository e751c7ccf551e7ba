#include "store/item_view.hpp"

#include <algorithm>

namespace tgkeep::store {

ItemState waiting_state(const Row& row) noexcept {
  return row.attempts > 0 ? ItemState::retrying : ItemState::pending;
}

StoredItem stored_item(Queue queue, ItemState state, Row&& row) {
  StoredItem item;
  item.queue = queue;
  item.state = state;
  item.seq = row.seq;
  item.bot = row.bot;
  item.update_id = row.update_id;
  item.run = row.run;
  (queue == Queue::inbox ? item.earlier : item.origin) = row.origin;
  item.call = row.call;
  item.kind = std::move(row.kind);
  item.keys.reserve(row.keys.size());
  for (const auto& key : row.keys) item.keys.push_back(key.text());
  item.attempts = row.attempts;
  item.crashes = row.crashes;
  item.starts = row.starts;
  item.received = row.received;
  item.due = row.due;
  item.body = std::move(row.body);
  return item;
}

bool wants(const ItemFilter& filter, ItemState state) noexcept {
  const bool dies = state == ItemState::dead;
  if (!filter.reason.empty() && !dies) return false;
  return filter.states.empty() || std::ranges::find(filter.states, state) != filter.states.end();
}

bool matches(const ItemFilter& filter, const StoredItem& item) {
  return item.queue == filter.queue && wants(filter, item.state) &&
         (!filter.first_id || item.update_id >= *filter.first_id) &&
         (!filter.last_id || item.update_id <= *filter.last_id) &&
         (filter.kind.empty() || item.kind == filter.kind) &&
         (filter.reason.empty() || item.reason == filter.reason) &&
         (!filter.from || item.received >= *filter.from) && (!filter.to || item.received < *filter.to) &&
         (filter.key.empty() || std::ranges::find(item.keys, filter.key) != item.keys.end());
}

ItemPage page_of(std::vector<StoredItem> found, std::size_t limit) {
  ItemPage page;
  page.items = std::move(found);
  if (page.items.size() > limit) {
    page.items.resize(limit);
    if (limit > 0) page.next = page.items.back().seq;
  }
  return page;
}

Error no_such_item(Queue queue, Seq seq) {
  return Error(Errc::not_found, std::string(to_string(queue)) + " has no item " +
                                    std::to_string(seq.value()) +
                                    " (any more); list the items to see which there are");
}

Error no_such_letter(Queue queue, Seq seq) {
  return Error(Errc::not_found, std::string(to_string(queue)) + " has no dead letter or held call " +
                                    std::to_string(seq.value()) + "; list them to see which there are");
}

}  // namespace tgkeep::store
