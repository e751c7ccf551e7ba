#include "runner/direct_line.hpp"

#include <algorithm>
#include <utility>

namespace tgkeep::runner {

void DirectLine::add(Item item, std::span<const KeyHash> keys) {
  item.seq = Seq(++arrived_);
  const rules::Lanes::Added added = lanes_.add(keys);
  if (added.slot >= items_.size()) items_.resize(added.slot + 1);
  items_[added.slot] = std::move(item);
  if (added.first) ready_.push_back(added.slot);
}

DirectLine::Slot DirectLine::take_ready() {
  const Slot slot = ready_.front();
  ready_.pop_front();
  ++taken_;
  return slot;
}

void DirectLine::finish(Slot slot) {
  --taken_;
  freed_.clear();
  lanes_.remove(slot, freed_);
  if (freed_.size() > 1) std::ranges::sort(freed_, {}, [this](Slot freed) { return items_[freed].seq; });
  ready_.insert(ready_.end(), freed_.begin(), freed_.end());
}

std::vector<BusyLane> DirectLine::busy_lanes(const RunningFor& running, std::size_t limit) const {
  std::vector<BusyLane> busy;
  lanes_.each([&](KeyHash key, Slot first, std::size_t behind) {
    BusyLane lane;
    lane.key = key;
    lane.head = items_[first].seq;
    lane.waiting = behind;
    lane.running = running(lane.head);
    if (is_busy(lane)) busy.push_back(lane);
  });
  return busiest(std::move(busy), limit);
}

void DirectLine::put_back(Slot slot, Item item) {
  --taken_;
  items_[slot] = std::move(item);
  const auto seq_of = [this](Slot ready) { return items_[ready].seq; };
  const auto place = std::ranges::find_if(ready_, [&](Slot ready) { return seq_of(ready) > seq_of(slot); });
  ready_.insert(place, slot);
}

}  // namespace tgkeep::runner
