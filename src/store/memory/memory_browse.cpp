// What people ask a memory store for. What is done is forgotten, so only dead letters can be replayed.
#include <algorithm>

#include "store/memory/memory_shelf.hpp"

namespace tgkeep::store {

namespace {

constexpr const char* kErased = "erased";

}  // namespace

ItemPage MemoryShelf::find(const ItemFilter& filter, Seq after, std::size_t limit, bool newest_first,
                           bool with_bodies) const {
  const std::size_t most = std::min(limit, kPageLimit);
  ItemPage page = page_of(queue(filter.queue).find(filter, after, most, newest_first), most);
  for (StoredItem& item : page.items) {
    if (!with_bodies) item.body.clear();
  }
  return page;
}

std::vector<StoredItem> MemoryShelf::dead_letters(Queue name) const {
  std::vector<StoredItem> letters;
  for (const auto& [seq, letter] : queue(name).dead()) letters.push_back(*queue(name).view(seq));
  return letters;
}

std::vector<ItemTrace> MemoryShelf::trace(UpdateId id) const {
  std::vector<ItemTrace> traces;
  const auto add = [&](const Row& row) {
    if (row.update_id != id) return;
    ItemTrace& trace = traces.emplace_back();
    trace.item = *inbox_.view(row.seq);
    trace.failures = inbox_.failures(row.seq);
    trace.handouts = handouts_.of(row.seq);
  };
  for (const auto& [seq, row] : inbox_.live()) add(row);
  for (const auto& [seq, letter] : inbox_.dead()) add(letter.row);
  std::ranges::sort(traces, {}, [](const ItemTrace& trace) { return trace.item.seq; });
  for (ItemTrace& trace : traces) {
    const auto add_call = [&](const Row& row) {
      if (row.origin == trace.item.seq) trace.calls.push_back(*outbox_.view(row.seq));
    };
    for (const auto& [seq, row] : outbox_.live()) add_call(row);
    for (const auto& [seq, letter] : outbox_.dead()) add_call(letter.row);
    std::ranges::sort(trace.calls, {}, [](const StoredItem& call) { return std::pair(call.call, call.seq); });
  }
  return traces;
}

Result<void> MemoryShelf::note(const std::vector<Handout>& handouts) {
  return handouts_.note(handouts, [this](Seq seq) { return inbox_.waits(seq); });
}

std::vector<Handout> MemoryShelf::open_handouts() const {
  return handouts_.open([this](Seq seq) { return inbox_.waits(seq); });
}

Seq MemoryShelf::latest(const Row& row) const {
  const auto found = seen_.find(Id(row.bot, row.update_id));
  return found == seen_.end() ? row.seq : found->second.seq;
}

std::optional<Seq> MemoryShelf::retry(Queue name, Seq seq) {
  MemoryQueue& rows = queue(name);
  const auto found = rows.dead().find(seq);
  if (found == rows.dead().end()) return std::nullopt;
  const Row& row = found->second.row;
  if (name == Queue::outbox) return rows.revive(seq, row.origin);
  const Id id(row.bot, row.update_id);
  const Seq revived = *rows.revive(seq, std::max(seq, latest(row)));
  const auto original = seen_.find(id);
  if (original != seen_.end()) original->second.seq = revived;
  return revived;
}

std::vector<bool> MemoryShelf::drop(Queue name, const std::vector<Seq>& seqs, const std::string& by) {
  std::vector<bool> dropped;
  dropped.reserve(seqs.size());
  for (const Seq seq : seqs) dropped.push_back(queue(name).drop(seq, by));
  return dropped;
}

std::vector<Replayed> MemoryShelf::replay(const std::vector<Seq>& seqs, bool force) {
  std::vector<Replayed> results;
  results.reserve(seqs.size());
  for (const Seq seq : seqs) results.push_back(replay_one(seq, force));
  return results;
}

Replayed MemoryShelf::replay_one(Seq seq, bool force) {
  if (inbox_.waits(seq)) return Replayed(seq, Seq(), "waiting");
  const auto found = inbox_.dead().find(seq);
  if (found == inbox_.dead().end()) return Replayed(seq, Seq(), "not_found");
  const Seq last = latest(found->second.row);
  if (last > seq && inbox_.waits(last)) return Replayed(seq, Seq(), "waiting");
  if (last > seq && !force) return Replayed(seq, Seq(), "replayed");
  return Replayed(seq, *retry(Queue::inbox, seq), "");
}

std::int64_t MemoryShelf::erase_waiting(Queue name, const std::vector<Seq>& seqs,
                                        std::vector<std::pair<Queue, Seq>>& in_flight) {
  MemoryQueue& rows = queue(name);
  std::int64_t erased = 0;
  for (const Seq seq : seqs) {
    if (rows.in_flight(seq) != nullptr) {
      in_flight.emplace_back(name, seq);
      continue;
    }
    ++erased;
    if (rows.drop(seq, kErased)) continue;
    for (const auto& key : rows.live().at(seq).keys) {
      if (leaves_gap(name, kErased)) gaps_.insert(key.hash());
    }
    rows.drop_waiting(seq, kErased);
  }
  return erased;
}

Erased MemoryShelf::erase(const EraseRequest& request, std::vector<std::pair<Queue, Seq>>& in_flight) {
  Erased erased;
  for (const Queue name : {Queue::inbox, Queue::outbox}) {
    const MemoryQueue& rows = queue(name);
    std::vector<Seq> seqs;
    for (const auto& [seq, row] : rows.live()) {
      if (request.concerns && request.concerns(*rows.view(seq))) seqs.push_back(seq);
    }
    for (const auto& [seq, letter] : rows.dead()) {
      if (request.concerns && request.concerns(*rows.view(seq))) seqs.push_back(seq);
    }
    erased.waiting += erase_waiting(name, seqs, in_flight);
  }
  for (const std::string& key : request.state_keys) {
    erased.state += static_cast<std::int64_t>(
        std::erase_if(state_, [&](const auto& row) { return std::get<2>(row.first) == key; }));
  }
  return erased;
}

}  // namespace tgkeep::store
