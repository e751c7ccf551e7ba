#pragma once
// Which updates may start: lanes of items that share an ordering key. Pure; one owner; O(keys) per step.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <tgkeep/id.hpp>
#include <vector>

namespace tgkeep::rules {

/// Keys are hashes already: their low bits serve as they are.
struct KeyHashBits {
  using is_avalanching = void;
  std::size_t operator()(KeyHash key) const noexcept { return static_cast<std::size_t>(key.value()); }
};

/// An item waits in the lane of each of its keys and may start when it is first in all of them. It stays
/// first until it is removed, through retries too, so a failing item never lets a later one overtake a third
/// that still runs. Lanes are freed when empty.
class Lanes {
 public:
  /// Handle of an item; reused after `remove`.
  using Slot = std::uint32_t;

  class Added {
   public:
    Added(Slot slot, bool first) : slot(slot), first(first) {}
    Slot slot;
    bool first;  ///< may start now
  };

  /// Puts an item behind all others that share a key with it. No keys: it is first at once.
  Added add(std::span<const KeyHash> keys);
  /// Takes out an item that is first; appends those that become first to `freed`, in no particular order.
  void remove(Slot slot, std::vector<Slot>& freed);

  /// Tells `visit(key, first, behind)` every lane, its first item and how many are behind that, in no
  /// particular order. O(items × keys).
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& [key, index] : by_key_) {
      const std::uint32_t first = lane_pool_[index].first;
      std::size_t behind = 0;
      for (std::uint32_t link = link_pool_[first].behind; link != kNone; link = link_pool_[link].behind)
        ++behind;
      visit(key, link_pool_[first].item, behind);
    }
  }

  std::size_t items() const noexcept { return items_; }
  std::size_t lanes() const noexcept { return by_key_.size(); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Item {
    std::uint32_t ahead = 0;  // lanes in which another item is first
    std::uint32_t links = kNone;
  };
  struct Link {  // one item in one lane
    Slot item = 0;
    std::uint32_t lane = 0;
    std::uint32_t behind = kNone;   // next link of the lane
    std::uint32_t sibling = kNone;  // next link of the item
  };
  struct Lane {
    KeyHash key;
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  template <class T>
  class Pool {  // stable indices, reused last in, first out
   public:
    std::uint32_t take();
    void give(std::uint32_t index) { free_.push_back(index); }
    T& operator[](std::uint32_t index) { return all_[index]; }
    const T& operator[](std::uint32_t index) const { return all_[index]; }

   private:
    std::vector<T> all_;
    std::vector<std::uint32_t> free_;
  };

  bool in_lane(const Item& item, std::uint32_t lane);

  Pool<Item> item_pool_;
  Pool<Link> link_pool_;
  Pool<Lane> lane_pool_;
  boost::unordered_flat_map<KeyHash, std::uint32_t, KeyHashBits> by_key_;
  std::size_t items_ = 0;
};

}  // namespace tgkeep::rules
