#include "admin/tail.hpp"

#include <algorithm>
#include <set>

#include "admin/picture.hpp"
#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

// So many are looked at in each queue: a little more than are told of, as several may change at once.
constexpr std::size_t kLooked = 100;

WallTime time_of(const StoredItem& item) {
  if (item.ended) return *item.ended;
  if (item.started) return *item.started;
  return item.received;
}

json::object update_json(const StoredItem& item) {
  json::object shown;
  shown["bot"] = item.bot.value();
  shown["queue"] = to_string(item.queue);
  shown["seq"] = item.seq.value();
  shown["update_id"] = item.update_id.value();
  shown["kind"] = as_text(item.kind);
  shown["key"] = item.keys.empty() ? std::string() : as_text(item.keys.front());
  shown["state"] = to_string(item.state);
  shown["at"] = to_millis(time_of(item));
  return shown;
}

}  // namespace

asio::awaitable<std::vector<StoredItem>> Tail::newest(Place place) {
  std::vector<StoredItem> none;
  StoreBrowser* const browser = browser_with(premises_, place.first);
  if (browser == nullptr) co_return none;
  ItemFilter filter(place.second);
  Result<ItemPage> page = co_await browser->find(std::move(filter), Seq(), kLooked, true, false);
  if (page.has_error()) co_return none;
  co_return std::move(page->items);
}

std::vector<StoredItem> Tail::changed(Place place, std::vector<StoredItem> items) {
  const bool first = !seen_.contains(place);
  Seen& seen = seen_[place];
  Seen now;
  std::vector<StoredItem> news;
  const Seq oldest_seen = seen.empty() ? Seq() : seen.begin()->first;
  for (StoredItem& item : items) {
    now.emplace(item.seq, item.state);
    const auto before = seen.find(item.seq);
    // An older one that came into view, because newer ones were deleted, is no news.
    const bool same = before != seen.end() ? before->second == item.state : item.seq < oldest_seen;
    if (!same && !first) news.push_back(std::move(item));
  }
  seen = std::move(now);
  return news;
}

asio::awaitable<std::vector<json::object>> Tail::look() {
  std::set<Place> places;
  for (const OperatedBot* bot : premises_.bots()) {
    places.emplace(bot->facts().id, Queue::inbox);
    places.emplace(bot->facts().id, Queue::outbox);
  }
  std::erase_if(seen_, [&places](const auto& each) { return !places.contains(each.first); });
  std::vector<StoredItem> news;
  for (const Place& place : places) {
    std::vector<StoredItem> items = co_await newest(place);
    std::vector<StoredItem> fresh = changed(place, std::move(items));
    for (StoredItem& item : fresh) news.push_back(std::move(item));
  }
  std::stable_sort(news.begin(), news.end(), [](const StoredItem& one, const StoredItem& other) {
    return time_of(one) < time_of(other);
  });
  std::vector<json::object> shown;
  const std::size_t left_out = news.size() > kMost ? news.size() - kMost : 0;
  for (std::size_t i = left_out; i < news.size(); ++i) shown.push_back(update_json(news[i]));
  co_return shown;
}

}  // namespace tgkeep::admin
