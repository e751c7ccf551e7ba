#pragma once
// The heads a runner has in memory and which of them may start: lanes, due times, room. Pure, time is an
// argument.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <deque>
#include <optional>
#include <queue>
#include <set>
#include <tgkeep/store.hpp>
#include <tgkeep/time.hpp>
#include <vector>

#include "rules/head_window.hpp"
#include "rules/lanes.hpp"
#include "runner/busy_lanes.hpp"

namespace tgkeep::runner {

/// The two clocks at one instant: due times are stored as wall time and waited for in monotonic time.
class Now {
 public:
  Now(MonoTime mono, WallTime wall) : mono(mono), wall(wall) {}
  MonoTime mono;
  WallTime wall;
};

/// A head is waiting in its lanes, then (first in all of them) waiting for its due time, then ready, then
/// taken. It stays in its lanes until `finish`.
class Lineup {
 public:
  Lineup(std::size_t max_heads, std::size_t max_per_key, std::uint32_t suspect_after);

  /// Heads the scan found after `cursor`, in put order.
  void offer(std::vector<Head> heads, Now now);
  Seq cursor() const noexcept { return cursor_; }
  std::size_t scan_room() const noexcept { return window_.scan_room(); }
  /// What should be fetched by key now, and its answer.
  std::optional<rules::HeadWindow::Refill> next_refill() { return window_.next_refill(); }
  void offer_refill(const rules::HeadWindow::Refill& refill, std::vector<Head> heads, Now now);

  /// Makes ready what has come due; the time of the next one, if any waits.
  std::optional<MonoTime> wake_due(MonoTime now);
  bool any_suspect_ready() const noexcept { return !suspects_.empty(); }
  /// Takes a ready one; it is the caller's to `finish`, `wait_again` or `put_back`.
  std::optional<Seq> take_ready();
  std::optional<Seq> take_suspect();

  const Head& head(Seq seq) const;
  /// Settled for good: leaves its lanes.
  void finish(Seq seq);
  /// To be tried again at `due`; keeps its lanes. `flooded`: because the receiver named that time.
  void wait_again(Seq seq, MonoTime due, bool flooded = false);
  /// A failed attempt of it was counted.
  void failed(Seq seq, MonoTime now);
  /// Since when it has been failing. Counted anew after a restart: the wall clock may have jumped meanwhile,
  /// and time in which nothing ran is not the item's.
  std::optional<MonoTime> failing_since(Seq seq) const;
  void clear_crashes(Seq seq);

  std::size_t size() const noexcept { return entries_.size(); }
  /// How many wait now for a time that the receiver named.
  std::size_t flooded() const noexcept { return flooded_; }
  /// See `Runner::busy_lanes`. Looks at every head.
  std::vector<BusyLane> busy_lanes(MonoTime now, const RunningFor& running, std::size_t limit) const;
  void clear();

 private:
  struct Entry {
    Head head;
    rules::Lanes::Slot slot = 0;
    MonoTime due{};
    bool flooded = false;
    std::optional<MonoTime> failing_since;
  };
  using Due = std::pair<MonoTime, Seq>;

  Entry& entry(Seq seq);
  void load(Head head, Now now);
  void first_in_lanes(Seq seq);
  void make_ready(Seq seq, const Head& head);

  std::uint32_t suspect_after_;
  rules::HeadWindow window_;
  rules::Lanes lanes_;
  Seq cursor_;
  boost::unordered_flat_map<Seq, Entry, std::hash<Seq>> entries_;
  std::vector<Seq> by_slot_;
  std::deque<Seq> ready_;
  std::set<Seq> suspects_;  // in put order: the oldest first
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<rules::Lanes::Slot> freed_;
  std::size_t flooded_ = 0;
};

}  // namespace tgkeep::runner
