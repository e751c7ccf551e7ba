#include "runner/busy_lanes.hpp"

#include <algorithm>

namespace tgkeep::runner {

namespace {

bool is_before(const BusyLane& one, const BusyLane& other) {
  if (one.waiting != other.waiting) return one.waiting > other.waiting;
  const Duration busy = one.running.value_or(Duration::min());
  const Duration other_busy = other.running.value_or(Duration::min());
  if (busy != other_busy) return busy > other_busy;
  if (one.head != other.head) return one.head < other.head;
  return one.key < other.key;
}

}  // namespace

bool is_busy(const BusyLane& lane) {
  return lane.waiting > 0 || lane.running || lane.due;
}

std::vector<BusyLane> busiest(std::vector<BusyLane> lanes, std::size_t limit) {
  const auto end = lanes.begin() + static_cast<std::ptrdiff_t>(std::min(limit, lanes.size()));
  std::partial_sort(lanes.begin(), end, lanes.end(), is_before);
  lanes.erase(end, lanes.end());
  return lanes;
}

}  // namespace tgkeep::runner
