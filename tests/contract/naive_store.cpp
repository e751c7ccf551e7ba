#include "naive_store.hpp"

#include <algorithm>

namespace tgkeep::store {

using State = NaiveItem::State;
using Kind = Settlement::Kind;

bool NaiveStore::has_gap(const NaiveItem& item) const {
  return std::ranges::any_of(item.keys, [&](const std::string& key) { return gaps_.contains(key); });
}

void NaiveStore::die(Queue queue, NaiveItem& item, const std::string& reason) {
  item.state = State::dead;
  item.reason = reason;
  if (queue == Queue::inbox && reason != "expired") gaps_.insert(item.keys.begin(), item.keys.end());
}

void NaiveStore::finish(const Settlement& settlement, NaiveItem& item) {
  item.state = State::done;
  if (settlement.queue == Queue::inbox) {
    for (const auto& key : item.keys) gaps_.erase(key);
  }
  for (const Call& call : settlement.calls) {
    NaiveItem put;
    put.seq = next_call();
    put.update_id = item.update_id;
    put.body = call.params;
    put.keys = {"chat:5"};
    put.run = item.run;
    put.doubt = call.doubt;
    add(Queue::outbox, std::move(put));
  }
  for (const StateWrite& write : settlement.state) {
    if (write.bytes) {
      state[write.key] = *write.bytes;
    } else {
      state.erase(write.key);
    }
  }
}

bool NaiveStore::settle(const Settlement& settlement) {
  const auto found = items(settlement.queue).find(settlement.seq);
  if (found == items(settlement.queue).end() || found->second.state != State::in_flight) return false;
  NaiveItem& item = found->second;
  if (settlement.survived) item.crashes = 0;
  const bool doubt = settlement.kind == Kind::doubt && settlement.queue == Queue::outbox;
  if (doubt) ++in_doubt;
  if (settlement.kind == Kind::done) {
    finish(settlement, item);
  } else if (settlement.kind == Kind::dead) {
    die(settlement.queue, item, settlement.reason);
  } else if (doubt && item.doubt == DoubtPolicy::skip) {
    die(settlement.queue, item, "skipped");
  } else if (doubt && item.doubt == DoubtPolicy::ask) {
    item.state = State::held;
  } else {
    item.state = State::waiting;
    item.due = settlement.due;
    if (settlement.kind != Kind::release) ++item.attempts;
  }
  return true;
}

void NaiveStore::crash() {
  bool suspect = false;
  for (const auto& [seq, item] : inbox_) {
    suspect = suspect || (item.state == State::in_flight && item.mark == Mark::solo);
  }
  for (const Queue queue : {Queue::inbox, Queue::outbox}) {
    for (auto& [seq, item] : items(queue)) {
      if (item.state != State::in_flight) continue;
      // No crash is a call's fault: sending one runs no code of the bot's.
      const bool solo = queue == Queue::inbox && item.mark == Mark::solo;
      item.state = State::waiting;
      if (queue == Queue::inbox && (solo || !suspect)) ++item.crashes;
      if (queue == Queue::outbox) ++in_doubt;
      if (queue == Queue::outbox && item.doubt == DoubtPolicy::ask) {
        item.state = State::held;
      } else if (queue == Queue::outbox && item.doubt == DoubtPolicy::skip) {
        die(queue, item, "skipped");
      } else if (solo) {
        die(queue, item, "crashed");
      }
    }
  }
}

std::vector<Seq> NaiveStore::leasable(Queue queue, const std::string& key) const {
  std::vector<Seq> seqs;
  for (const auto& [seq, item] : queue == Queue::inbox ? inbox_ : outbox_) {
    const bool named = key.empty() || std::ranges::find(item.keys, key) != item.keys.end();
    if (item.state == State::waiting && named) seqs.push_back(seq);
  }
  return seqs;
}

QueueCounts NaiveStore::counts(Queue queue) const {
  QueueCounts counts;
  for (const auto& [seq, item] : queue == Queue::inbox ? inbox_ : outbox_) {
    ++counts.stored;
    if (item.state == State::waiting) ++(item.attempts > 0 ? counts.retrying : counts.pending);
    if (item.state == State::in_flight) ++counts.in_flight;
    if (item.state == State::held) ++counts.held;
    if (item.state == State::done) ++counts.done;
    if (item.state == State::dead) ++counts.dead[item.reason];
  }
  if (queue == Queue::inbox) counts.duplicates = duplicates;
  if (queue == Queue::outbox) counts.in_doubt = in_doubt;
  return counts;
}

}  // namespace tgkeep::store
