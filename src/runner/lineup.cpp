#include "runner/lineup.hpp"

#include <boost/assert.hpp>
#include <utility>

namespace tgkeep::runner {

Lineup::Lineup(std::size_t max_heads, std::size_t max_per_key, std::uint32_t suspect_after)
    : suspect_after_(suspect_after), window_(max_heads, max_per_key) {}

void Lineup::offer(std::vector<Head> heads, Now now) {
  for (Head& head : heads) {
    if (head.seq <= cursor_) continue;
    cursor_ = head.seq;
    if (window_.offer(head.seq, head.keys)) load(std::move(head), now);
  }
}

void Lineup::offer_refill(const rules::HeadWindow::Refill& refill, std::vector<Head> heads, Now now) {
  bool complete = heads.size() < refill.limit;
  for (Head& head : heads) {
    if (head.seq > refill.up_to) {
      complete = true;
      break;
    }
    if (entries_.contains(head.seq)) continue;
    if (!window_.offer_refill(refill, head.seq, head.keys)) {
      complete = false;
      break;
    }
    load(std::move(head), now);
  }
  window_.end_refill(refill, complete);
}

void Lineup::load(Head head, Now now) {
  const Seq seq = head.seq;
  const rules::Lanes::Added added = lanes_.add(head.keys);
  if (by_slot_.size() <= added.slot) by_slot_.resize(added.slot + 1U);
  by_slot_[added.slot] = seq;
  Entry& entry = entries_[seq];
  entry.slot = added.slot;
  entry.due = head.due > now.wall ? now.mono + (head.due - now.wall) : MonoTime::min();
  if (head.first_failed) entry.failing_since = now.mono;
  entry.head = std::move(head);
  if (added.first) first_in_lanes(seq);
}

void Lineup::first_in_lanes(Seq seq) {
  const Entry& entry = entries_.find(seq)->second;
  if (entry.due == MonoTime::min()) {
    make_ready(seq, entry.head);
  } else {
    due_.emplace(entry.due, seq);
  }
}

void Lineup::make_ready(Seq seq, const Head& head) {
  if (head.crashes >= suspect_after_) {
    suspects_.insert(seq);
  } else {
    ready_.push_back(seq);
  }
}

std::optional<MonoTime> Lineup::wake_due(MonoTime now) {
  while (!due_.empty() && due_.top().first <= now) {
    const Seq seq = due_.top().second;
    due_.pop();
    Entry& waited = entry(seq);
    if (std::exchange(waited.flooded, false)) --flooded_;
    make_ready(seq, waited.head);
  }
  if (due_.empty()) return std::nullopt;
  return due_.top().first;
}

std::optional<Seq> Lineup::take_ready() {
  if (ready_.empty()) return std::nullopt;
  const Seq seq = ready_.front();
  ready_.pop_front();
  return seq;
}

std::optional<Seq> Lineup::take_suspect() {
  if (suspects_.empty()) return std::nullopt;
  return suspects_.extract(suspects_.begin()).value();
}

const Head& Lineup::head(Seq seq) const {
  const auto entry = entries_.find(seq);
  BOOST_ASSERT(entry != entries_.end());
  return entry->second.head;
}

Lineup::Entry& Lineup::entry(Seq seq) {
  const auto entry = entries_.find(seq);
  BOOST_ASSERT(entry != entries_.end());
  return entry->second;
}

void Lineup::failed(Seq seq, MonoTime now) {
  Entry& failed = entry(seq);
  ++failed.head.attempts;
  if (!failed.failing_since) failed.failing_since = now;
}

std::optional<MonoTime> Lineup::failing_since(Seq seq) const {
  const auto entry = entries_.find(seq);
  BOOST_ASSERT(entry != entries_.end());
  return entry->second.failing_since;
}

void Lineup::clear_crashes(Seq seq) {
  entry(seq).head.crashes = 0;
}

void Lineup::finish(Seq seq) {
  const auto entry = entries_.find(seq);
  BOOST_ASSERT(entry != entries_.end());
  freed_.clear();
  lanes_.remove(entry->second.slot, freed_);
  window_.release(entry->second.head.keys);
  entries_.erase(entry);
  for (const rules::Lanes::Slot slot : freed_) first_in_lanes(by_slot_[slot]);
}

void Lineup::wait_again(Seq seq, MonoTime due, bool flooded) {
  Entry& waits = entry(seq);
  waits.due = due;
  waits.flooded = flooded;
  if (flooded) ++flooded_;
  due_.emplace(due, seq);
}

std::vector<BusyLane> Lineup::busy_lanes(MonoTime now, const RunningFor& running, std::size_t limit) const {
  std::vector<BusyLane> busy;
  lanes_.each([&](KeyHash key, rules::Lanes::Slot first, std::size_t behind) {
    const Entry& head = entries_.find(by_slot_[first])->second;
    BusyLane lane;
    lane.key = key;
    lane.head = head.head.seq;
    lane.waiting = behind;
    lane.attempts = head.head.attempts;
    lane.running = running(lane.head);
    if (!lane.running && head.due > now) lane.due = head.due - now;
    if (is_busy(lane)) busy.push_back(lane);
  });
  return busiest(std::move(busy), limit);
}

void Lineup::clear() {
  window_.clear();
  lanes_ = rules::Lanes();
  cursor_ = Seq();
  entries_.clear();
  by_slot_.clear();
  ready_.clear();
  suspects_.clear();
  due_ = {};
  flooded_ = 0;
}

}  // namespace tgkeep::runner
