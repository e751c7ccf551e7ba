#pragma once
// The updates a runner without a store holds: those that wait for their keys, those that may start, and the
// lanes of those that have. Pure.

#include <deque>
#include <span>
#include <tgkeep/store.hpp>
#include <vector>

#include "rules/lanes.hpp"
#include "runner/busy_lanes.hpp"

namespace tgkeep::runner {

class DirectLine {
 public:
  using Slot = rules::Lanes::Slot;

  /// Puts it at the end; its seq becomes the number of its arrival.
  void add(Item item, std::span<const KeyHash> keys);
  bool any_ready() const noexcept { return !ready_.empty(); }
  std::size_t ready() const noexcept { return ready_.size(); }
  /// Behind another of their keys.
  std::size_t waiting() const noexcept { return lanes_.items() - ready_.size() - taken_; }
  std::size_t size() const noexcept { return lanes_.items(); }

  /// The next that may start. It keeps its lanes until `finish`.
  Slot take_ready();
  /// Its item, to be moved out once.
  Item& item(Slot slot) { return items_[slot]; }
  void finish(Slot slot);
  /// See `Runner::busy_lanes`. Looks at everything it holds.
  std::vector<BusyLane> busy_lanes(const RunningFor& running, std::size_t limit) const;
  /// Back among those that may start, in its place by arrival.
  void put_back(Slot slot, Item item);

 private:
  rules::Lanes lanes_;
  std::vector<Item> items_;  // by slot
  std::deque<Slot> ready_;
  std::size_t taken_ = 0;
  std::int64_t arrived_ = 0;
  std::vector<Slot> freed_;
};

}  // namespace tgkeep::runner
