#include "store/memory/memory_queue.hpp"

namespace tgkeep::store {

void MemoryQueue::add(Row row) {
  const Seq seq = row.seq;
  for (const auto& key : row.keys) by_key_[key.hash()].insert(seq);
  ++totals_.stored;
  ++waiting(row);
  live_.emplace(seq, std::move(row));
}

void MemoryQueue::add_dead(Row row, std::string reason, std::string error, WallTime now) {
  const Seq seq = row.seq;
  ++totals_.stored;
  ++totals_.dead[reason];
  dead_.emplace(seq, DeadRow(std::move(row), std::move(reason), std::move(error), now));
}

std::vector<Head> MemoryQueue::heads(const LeaseRequest& request) const {
  std::vector<Head> heads;
  if (request.key) {
    const auto found = by_key_.find(*request.key);
    if (found == by_key_.end()) return heads;
    for (auto it = found->second.upper_bound(request.after); it != found->second.end(); ++it) {
      if (heads.size() == request.limit) break;
      if (!flying_.contains(*it)) heads.push_back(head_of(live_.at(*it)));
    }
    return heads;
  }
  for (auto it = live_.upper_bound(request.after); it != live_.end() && heads.size() < request.limit; ++it) {
    if (!flying_.contains(it->first)) heads.push_back(head_of(it->second));
  }
  return heads;
}

Row* MemoryQueue::begin(Seq seq, Mark mark) {
  const auto found = live_.find(seq);
  if (found == live_.end() || !flying_.emplace(seq, mark).second) return nullptr;
  --waiting(found->second);
  ++totals_.in_flight;
  return &found->second;
}

void MemoryQueue::share(Seq seq) {
  const auto found = flying_.find(seq);
  if (found != flying_.end()) found->second = Mark::shared;
}

Row* MemoryQueue::in_flight(Seq seq) {
  return flying_.contains(seq) ? &live_.at(seq) : nullptr;
}

Row MemoryQueue::take(Seq seq) {
  flying_.erase(seq);
  --totals_.in_flight;
  return forget(seq);
}

Row MemoryQueue::forget(Seq seq) {
  auto node = live_.extract(seq);
  for (const auto& key : node.mapped().keys) {
    const auto found = by_key_.find(key.hash());
    if (found == by_key_.end()) continue;
    found->second.erase(seq);
    if (found->second.empty()) by_key_.erase(found);
  }
  return std::move(node.mapped());
}

void MemoryQueue::done(Seq seq) {
  take(seq);
  failures_.erase(seq);
  ++totals_.done;
}

void MemoryQueue::put_back(Row& row) {
  flying_.erase(row.seq);
  --totals_.in_flight;
  ++row.starts;
  ++waiting(row);
}

void MemoryQueue::die(Seq seq, std::string reason, std::string error, WallTime now) {
  Row row = take(seq);
  ++totals_.dead[reason];
  dead_.emplace(seq, DeadRow(std::move(row), std::move(reason), std::move(error), now));
}

void MemoryQueue::hold(Seq seq, std::string error, WallTime now) {
  Row row = take(seq);
  ++totals_.held;
  dead_.emplace(seq, DeadRow(std::move(row), "", std::move(error), now));
}

void MemoryQueue::leave_dead(const DeadRow& letter) {
  failures_.erase(letter.row.seq);
  if (letter.reason.empty()) {
    --totals_.held;
  } else if (--totals_.dead[letter.reason] == 0) {
    totals_.dead.erase(letter.reason);
  }
}

std::optional<Seq> MemoryQueue::revive(Seq seq, Seq origin) {
  auto node = dead_.extract(seq);
  if (node.empty()) return std::nullopt;
  leave_dead(node.mapped());
  Row row = std::move(node.mapped().row);
  begin_anew(row, next_seq(), row.run + 1);
  row.origin = origin;
  --totals_.stored;  // `add` counts it, but it was stored before
  const Seq revived = row.seq;
  add(std::move(row));
  return revived;
}

bool MemoryQueue::drop(Seq seq, const std::string& by) {
  const auto node = dead_.extract(seq);
  if (node.empty()) return false;
  leave_dead(node.mapped());
  ++totals_.dropped[by];
  return true;
}

void MemoryQueue::drop_waiting(Seq seq, const std::string& by) {
  const Row row = forget(seq);
  failures_.erase(seq);
  --waiting(row);
  ++totals_.dropped[by];
}

void MemoryQueue::note_failure(const Row& row, std::string error, WallTime now) {
  FailedAttempt failed;
  failed.attempt = row.attempts + 1;
  failed.at = now;
  failed.error = std::move(error);
  auto& kept = failures_[row.seq];
  kept.push_back(std::move(failed));
  if (kept.size() > kFailuresKept) kept.pop_front();
}

std::vector<FailedAttempt> MemoryQueue::failures(Seq seq) const {
  const auto found = failures_.find(seq);
  if (found == failures_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::optional<StoredItem> MemoryQueue::view(Seq seq) const {
  if (const auto found = live_.find(seq); found != live_.end()) {
    const ItemState state = flying_.contains(seq) ? ItemState::in_flight : waiting_state(found->second);
    StoredItem item = stored_item(name_, state, Row(found->second));
    const auto failed = failures_.find(seq);
    if (failed != failures_.end()) item.error = failed->second.back().error;
    return item;
  }
  const auto found = dead_.find(seq);
  if (found == dead_.end()) return std::nullopt;
  const DeadRow& letter = found->second;
  StoredItem item =
      stored_item(name_, letter.reason.empty() ? ItemState::held : ItemState::dead, Row(letter.row));
  item.reason = letter.reason;
  item.error = letter.error;
  item.ended = letter.died;
  return item;
}

std::vector<StoredItem> MemoryQueue::find(const ItemFilter& filter, Seq after, std::size_t limit,
                                          bool newest_first) const {
  std::set<Seq> seqs;
  for (const auto& [seq, row] : live_) seqs.insert(seq);
  for (const auto& [seq, letter] : dead_) seqs.insert(seq);
  std::vector<StoredItem> found;
  const auto look = [&](Seq seq) {
    std::optional<StoredItem> item = view(seq);
    if (matches(filter, *item)) found.push_back(std::move(*item));
    return found.size() <= limit;
  };
  if (newest_first) {
    auto seq = after == Seq() ? seqs.end() : seqs.lower_bound(after);
    while (seq != seqs.begin() && look(*--seq)) {
    }
  } else {
    for (auto seq = seqs.upper_bound(after); seq != seqs.end() && look(*seq); ++seq) {
    }
  }
  return found;
}

QueueCounts MemoryQueue::counts() const {
  QueueCounts counts = totals_;
  if (!live_.empty()) counts.oldest = live_.begin()->second.received;
  return counts;
}

std::string MemoryQueue::audit() const {
  QueueCounts found;
  for (const auto& [seq, row] : live_) {
    ++(flying_.contains(seq) ? found.in_flight : row.attempts > 0 ? found.retrying : found.pending);
  }
  for (const auto& [seq, letter] : dead_) ++(letter.reason.empty() ? found.held : found.dead[letter.reason]);
  std::int64_t sum = found.pending + found.in_flight + found.retrying + found.held + totals_.done;
  for (const auto& [reason, count] : found.dead) sum += count;
  for (const auto& [by, count] : totals_.dropped) sum += count;
  const std::string queue(to_string(name_));
  const auto differ = [&queue](const char* what, std::int64_t total, std::int64_t rows) {
    return queue + ": the total of " + what + " is " + std::to_string(total) + ", its rows are " +
           std::to_string(rows);
  };
  if (found.pending != totals_.pending) return differ("pending", totals_.pending, found.pending);
  if (found.in_flight != totals_.in_flight) return differ("in_flight", totals_.in_flight, found.in_flight);
  if (found.retrying != totals_.retrying) return differ("retrying", totals_.retrying, found.retrying);
  if (found.held != totals_.held) return differ("held", totals_.held, found.held);
  if (found.dead != totals_.dead) return queue + ": the totals of dead differ from their rows";
  if (sum != totals_.stored) return differ("stored", totals_.stored, sum);
  return "";
}

}  // namespace tgkeep::store
