// How a store is compared with what a scenario says it must hold.

#include <string>
#include <tgkeep/store_browser.hpp>
#include <utility>

#include "prove/scenario.hpp"
#include "prove/store_witness.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kAll = 1'000'000;

std::string counts_differ(const QueueCounts& found, const QueueCounts& wanted) {
  const bool same = found.stored == wanted.stored && found.duplicates == wanted.duplicates &&
                    found.pending == wanted.pending && found.retrying == wanted.retrying &&
                    found.in_flight == wanted.in_flight && found.held == wanted.held &&
                    found.done == wanted.done && found.in_doubt == wanted.in_doubt &&
                    found.dead == wanted.dead;
  if (same) return "";
  return "totals: stored " + std::to_string(found.stored) + "/" + std::to_string(wanted.stored) +
         ", pending " + std::to_string(found.pending) + "/" + std::to_string(wanted.pending) + ", retrying " +
         std::to_string(found.retrying) + "/" + std::to_string(wanted.retrying) + ", done " +
         std::to_string(found.done) + "/" + std::to_string(wanted.done);
}

std::string heads_differ(const std::vector<Head>& found, const std::vector<Head>& wanted) {
  if (found.size() != wanted.size())
    return std::to_string(found.size()) + " heads instead of " + std::to_string(wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string which = "head " + std::to_string(wanted[i].seq.value());
    if (found[i].seq != wanted[i].seq) return which + ": it is " + std::to_string(found[i].seq.value());
    if (found[i].keys != wanted[i].keys) return which + ": keys";
    if (found[i].attempts != wanted[i].attempts || found[i].crashes != wanted[i].crashes)
      return which + ": attempts or crashes";
    if (found[i].due != wanted[i].due) return which + ": due";
  }
  return "";
}

std::string items_differ(const std::vector<Item>& found, const std::vector<Item>& wanted) {
  if (found.size() != wanted.size()) return "items begun";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string which = "item " + std::to_string(wanted[i].seq.value());
    if (found[i].body != wanted[i].body || found[i].kind != wanted[i].kind) return which + ": body";
    if (found[i].update_id != wanted[i].update_id || found[i].bot != wanted[i].bot) return which + ": id";
    if (found[i].keys != wanted[i].keys) return which + ": keys";
    if (found[i].doubt != wanted[i].doubt || found[i].call != wanted[i].call) return which + ": call";
    if (found[i].run != wanted[i].run || found[i].starts != wanted[i].starts)
      return which + ": run or starts";
    if (found[i].order_gap != wanted[i].order_gap) return which + ": order gap";
  }
  return "";
}

std::string dead_differ(const std::vector<StoredItem>& found, const std::vector<StoredItem>& wanted) {
  if (found.size() != wanted.size()) return "number of dead letters";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool same = found[i].seq == wanted[i].seq && found[i].update_id == wanted[i].update_id &&
                      found[i].reason == wanted[i].reason && found[i].body == wanted[i].body;
    if (!same) return "dead letter " + std::to_string(wanted[i].seq.value());
  }
  return "";
}

asio::awaitable<std::string> queue_differs(Store& store, store::MemoryShelf& expected, Queue queue) {
  LeaseRequest all(queue, Seq(), kAll);
  const std::vector<Head> wanted = expected.heads(all);
  const auto counts = co_await store.counts();
  if (!counts) co_return counts.error().text();
  const QueueCounts& found = queue == Queue::inbox ? counts->inbox : counts->outbox;
  std::vector<Head> heads;
  if (found.pending + found.retrying > 0) {
    auto leased = co_await store.lease(all);
    if (!leased) co_return leased.error().text();
    heads = std::move(*leased);
  }
  std::vector<Seq> seqs;
  for (const Head& head : wanted) seqs.push_back(head.seq);
  const auto items = co_await store.begin(queue, seqs, Mark::shared);
  if (!items) co_return items.error().text();
  // First, because it is what a store says itself.
  for (const Item& item : *items) {
    if (!item.corrupt.empty()) co_return "corrupt: " + item.corrupt;
  }
  std::string difference = heads_differ(heads, wanted);
  if (!difference.empty()) co_return difference;
  const std::vector<Item> wanted_items = expected.begin(queue, seqs, Mark::shared);
  difference = items_differ(*items, wanted_items);
  if (!difference.empty()) co_return difference;
  const auto dead = co_await find_dead(store, queue);
  if (!dead) co_return dead.error().text();
  const std::vector<StoredItem> wanted_dead = expected.dead_letters(queue);
  co_return dead_differ(*dead, wanted_dead);
}

}  // namespace

asio::awaitable<std::string> Scenario::difference(Store& store, store::MemoryShelf& expected) const {
  const auto counts = co_await store.counts();
  if (!counts) co_return counts.error().text();
  const StoreCounts wanted = expected.counts();
  const auto audit = co_await store.browser()->audit();
  if (!audit) co_return audit.error().text();
  std::string difference = counts_differ(counts->inbox, wanted.inbox);
  if (!difference.empty()) co_return "inbox " + difference;
  difference = counts_differ(counts->outbox, wanted.outbox);
  if (!difference.empty()) co_return "outbox " + difference;
  for (int key = 0; key <= 3; ++key) {
    std::string name = std::to_string(key);
    const auto state = co_await store.browser()->state(BotId(42), "s", name);
    if (!state) co_return state.error().text();
    if (*state != expected.state(BotId(42), "s", name)) co_return "state " + name;
  }
  const auto last = co_await store.handouts()->last();
  if (!last) co_return last.error().text();
  if (*last != expected.handouts().last()) co_return "last number " + std::to_string(last->value());
  difference = co_await queue_differs(store, expected, Queue::inbox);
  if (!difference.empty()) co_return "inbox " + difference;
  difference = co_await queue_differs(store, expected, Queue::outbox);
  if (!difference.empty()) co_return "outbox " + difference;
  co_return "";
}

}  // namespace tgkeep::prove
