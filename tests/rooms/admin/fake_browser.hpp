#pragma once
// A store that can be searched, made of a list: answers as the real ones do, and notes what it was told.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tgkeep/store_browser.hpp>
#include <utility>
#include <vector>

namespace tgkeep::admin {

class FakeBrowser final : public StoreBrowser {
 public:
  StoredItem& add(std::int64_t seq, ItemState state, std::int64_t id, Queue queue = Queue::inbox) {
    StoredItem& item = items.emplace_back();
    item.queue = queue;
    item.seq = Seq(seq);
    item.state = state;
    item.bot = BotId(1);
    item.update_id = UpdateId(id);
    item.kind = "message";
    item.keys = {"chat:1"};
    item.received = from_millis(1000 * seq);
    item.body = "{\"update_id\":" + std::to_string(id) + "}";
    return item;
  }

  asio::awaitable<Result<ItemPage>> find(ItemFilter filter, Seq after, std::size_t limit, bool newest_first,
                                         bool with_bodies) override {
    ++searches;
    asked = filter;
    if (!trouble.text().empty()) co_return trouble;
    std::vector<StoredItem> found;
    for (const StoredItem& item : items) {
      const bool behind = newest_first ? after == Seq() || item.seq < after : item.seq > after;
      if (behind && fits(filter, item)) found.push_back(item);
    }
    std::sort(found.begin(), found.end(), [newest_first](const StoredItem& one, const StoredItem& other) {
      return newest_first ? one.seq > other.seq : one.seq < other.seq;
    });
    ItemPage page;
    for (StoredItem& item : found) {
      if (page.items.size() == limit) {
        page.next = page.items.back().seq;
        break;
      }
      if (!with_bodies) item.body.clear();
      page.items.push_back(std::move(item));
    }
    co_return page;
  }
  asio::awaitable<Result<StoredItem>> item(Queue queue, Seq seq) override {
    if (const StoredItem* const found = at(queue, seq)) co_return *found;
    co_return Error(Errc::not_found, "there is no such item (any more)");
  }
  asio::awaitable<Result<std::vector<ItemTrace>>> trace(UpdateId id) override {
    std::vector<ItemTrace> runs;
    for (const StoredItem& item : items) {
      if (item.queue != Queue::inbox || item.update_id != id) continue;
      ItemTrace& run = runs.emplace_back();
      run.item = item;
      FailedAttempt& failed = run.failures.emplace_back();
      failed.attempt = 1;
      failed.at = from_millis(5);
      failed.error = "no";
      for (const StoredItem& call : items) {
        if (call.queue == Queue::outbox && call.update_id == id) run.calls.push_back(call);
      }
    }
    co_return runs;
  }
  asio::awaitable<Result<bool>> paused(Queue) override { co_return false; }
  asio::awaitable<Result<void>> set_paused(Queue, bool) override { co_return Result<void>(); }
  asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) override {
    if (!trouble.text().empty()) co_return trouble;
    StoredItem* const found = at(queue, seq);
    if (found == nullptr || (found->state != ItemState::dead && found->state != ItemState::held)) {
      co_return Error(Errc::not_found, "it is not dead");
    }
    found->state = ItemState::pending;
    found->seq = Seq(next++);
    co_return found->seq;
  }
  asio::awaitable<Result<std::vector<bool>>> drop(Queue queue, std::vector<Seq> seqs,
                                                  std::string by) override {
    dropped_by = std::move(by);
    std::vector<bool> there;
    for (const Seq seq : seqs) {
      const StoredItem* const found = at(queue, seq);
      there.push_back(found != nullptr && found->state == ItemState::dead);
      if (there.back()) {
        std::erase_if(items, [&](const StoredItem& item) { return item.queue == queue && item.seq == seq; });
      }
    }
    co_return there;
  }
  asio::awaitable<Result<std::vector<Replayed>>> replay(std::vector<Seq> seqs, bool force) override {
    if (!trouble.text().empty()) co_return trouble;
    if (broken) throw std::runtime_error("no memory");
    forced = force;
    batches.push_back(seqs.size());
    std::vector<Replayed> result;
    for (const Seq seq : seqs) {
      const StoredItem* const found = at(Queue::inbox, seq);
      if (found != nullptr && found->run > 0 && !force) {
        result.emplace_back(seq, Seq(), "replayed");
        continue;
      }
      StoredItem again = *found;
      again.seq = Seq(next++);
      again.run = found->run + 1;
      result.emplace_back(seq, again.seq, "");
      items.push_back(std::move(again));
    }
    co_return result;
  }
  asio::awaitable<Result<Erased>> erase(EraseRequest request) override {
    erased = std::move(request);
    Erased result;
    for (const StoredItem& item : items) {
      if (erased.concerns(item)) ++(item.state == ItemState::done ? result.finished : result.waiting);
    }
    co_return result;
  }
  asio::awaitable<Result<BackupReport>> backup(std::string folder, Progress) override {
    if (!trouble.text().empty()) co_return trouble;
    BackupReport report;
    report.folder = std::move(folder);
    report.commits = 12;
    report.bytes = 4096;
    co_return report;
  }
  asio::awaitable<Result<std::optional<std::string>>> state(BotId, std::string, std::string) override {
    co_return std::optional<std::string>();
  }
  asio::awaitable<Result<void>> audit() override {
    if (!trouble.text().empty()) co_return trouble;
    co_return Result<void>();
  }

  std::vector<StoredItem> items;
  std::int64_t next = 1000;
  Error trouble;        ///< of the next calls
  bool broken = false;  ///< replay throws
  int searches = 0;
  ItemFilter asked;  ///< by the last search
  bool forced = false;
  std::vector<std::size_t> batches;  ///< sizes of the replays
  std::string dropped_by;
  EraseRequest erased;

 private:
  static bool fits(const ItemFilter& filter, const StoredItem& item) {
    if (item.queue != filter.queue) return false;
    const auto& states = filter.states;
    if (!states.empty() && std::find(states.begin(), states.end(), item.state) == states.end()) return false;
    if (filter.first_id && item.update_id < *filter.first_id) return false;
    if (filter.last_id && item.update_id > *filter.last_id) return false;
    if (!filter.kind.empty() && item.kind != filter.kind) return false;
    if (!filter.reason.empty() && item.reason != filter.reason) return false;
    if (!filter.key.empty() && std::find(item.keys.begin(), item.keys.end(), filter.key) == item.keys.end()) {
      return false;
    }
    return !(filter.from && item.received < *filter.from) && !(filter.to && item.received >= *filter.to);
  }
  StoredItem* at(Queue queue, Seq seq) {
    for (StoredItem& item : items) {
      if (item.queue == queue && item.seq == seq) return &item;
    }
    return nullptr;
  }
};

}  // namespace tgkeep::admin
