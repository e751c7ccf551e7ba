#include "rules/lanes.hpp"

#include <boost/assert.hpp>

#include "rules/mutant.hpp"

namespace tgkeep::rules {

template <class T>
std::uint32_t Lanes::Pool<T>::take() {
  if (free_.empty()) {
    all_.emplace_back();
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  all_[index] = T();
  return index;
}

bool Lanes::in_lane(const Item& item, std::uint32_t lane) {
  for (std::uint32_t link = item.links; link != kNone; link = link_pool_[link].sibling) {
    if (link_pool_[link].lane == lane) return true;
  }
  return false;
}

Lanes::Added Lanes::add(std::span<const KeyHash> keys) {
  if (mutant("lane_ignored")) keys = {};
  const Slot slot = item_pool_.take();
  ++items_;
  for (const KeyHash key : keys) {
    const auto [entry, is_new] = by_key_.try_emplace(key, 0U);
    if (is_new) {
      entry->second = lane_pool_.take();
      lane_pool_[entry->second].key = key;
    }
    const std::uint32_t lane_index = entry->second;
    if (!is_new && in_lane(item_pool_[slot], lane_index)) continue;  // the same key twice

    const std::uint32_t link_index = link_pool_.take();
    Item& item = item_pool_[slot];
    Link& link = link_pool_[link_index];
    link.item = slot;
    link.lane = lane_index;
    link.sibling = item.links;
    item.links = link_index;

    Lane& lane = lane_pool_[lane_index];
    if (lane.last == kNone) {
      lane.first = link_index;
    } else {
      link_pool_[lane.last].behind = link_index;
      ++item.ahead;
    }
    lane.last = link_index;
  }
  return Added(slot, item_pool_[slot].ahead == 0);
}

void Lanes::remove(Slot slot, std::vector<Slot>& freed) {
  BOOST_ASSERT_MSG(item_pool_[slot].ahead == 0, "only the first of a lane can be removed");
  for (std::uint32_t link_index = item_pool_[slot].links; link_index != kNone;) {
    const Link link = link_pool_[link_index];
    link_pool_.give(link_index);
    link_index = link.sibling;

    Lane& lane = lane_pool_[link.lane];
    lane.first = link.behind;
    if (lane.first == kNone) {
      by_key_.erase(lane.key);
      lane_pool_.give(link.lane);
      continue;
    }
    const Slot next = link_pool_[lane.first].item;
    if (--item_pool_[next].ahead == 0) freed.push_back(next);
  }
  item_pool_.give(slot);
  --items_;
}

}  // namespace tgkeep::rules
