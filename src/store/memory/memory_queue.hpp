#pragma once
// One queue in memory: its live rows, its dead ones and its totals.

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "store/item_view.hpp"

namespace tgkeep::store {

/// A dead letter, or a held call (reason "").
class DeadRow {
 public:
  DeadRow(Row row, std::string reason, std::string error, WallTime died)
      : row(std::move(row)), reason(std::move(reason)), error(std::move(error)), died(died) {}
  Row row;
  std::string reason;
  std::string error;
  WallTime died;
};

class MemoryQueue {
 public:
  explicit MemoryQueue(Queue name) : name_(name) {}

  Seq next_seq() { return last_ = Seq(last_.value() + 1); }
  void add(Row row);
  /// A row that is dead from the start.
  void add_dead(Row row, std::string reason, std::string error, WallTime now);
  std::vector<Head> heads(const LeaseRequest& request) const;
  /// The row, now in flight; null when it is not there or already in flight.
  Row* begin(Seq seq, Mark mark);
  /// No longer alone.
  void share(Seq seq);
  /// What is in flight, in put order.
  std::map<Seq, Mark> flights() const { return {flying_.begin(), flying_.end()}; }
  /// The row, if it is in flight.
  Row* in_flight(Seq seq);
  void done(Seq seq);
  /// Back among the waiting ones; `row` has been changed already.
  void put_back(Row& row);
  void die(Seq seq, std::string reason, std::string error, WallTime now);
  void hold(Seq seq, std::string error, WallTime now);
  /// A dead or held row at the tail again, as its next run; nothing when there is none.
  std::optional<Seq> revive(Seq seq, Seq origin);
  /// Gives up a dead or held row for good; false when there is none.
  bool drop(Seq seq, const std::string& by);
  /// Gives up a row that waits; not one in flight.
  void drop_waiting(Seq seq, const std::string& by);
  void note_failure(const Row& row, std::string error, WallTime now);
  std::vector<FailedAttempt> failures(Seq seq) const;
  /// A live, dead or held row as people see it, with its body; nothing when there is none.
  std::optional<StoredItem> view(Seq seq) const;
  /// In the order of a page, at most one more than `limit`.
  std::vector<StoredItem> find(const ItemFilter& filter, Seq after, std::size_t limit,
                               bool newest_first) const;

  bool waits(Seq seq) const { return live_.contains(seq); }
  bool contains(Seq seq) const { return live_.contains(seq) || dead_.contains(seq); }
  const std::map<Seq, Row>& live() const noexcept { return live_; }
  const std::map<Seq, DeadRow>& dead() const noexcept { return dead_; }
  QueueCounts& totals() noexcept { return totals_; }
  QueueCounts counts() const;
  /// Empty, or the first total that differs from its rows.
  std::string audit() const;

 private:
  std::int64_t& waiting(const Row& row) { return row.attempts > 0 ? totals_.retrying : totals_.pending; }
  Row take(Seq seq);
  Row forget(Seq seq);
  void leave_dead(const DeadRow& letter);

  Queue name_;
  Seq last_;
  std::map<Seq, Row> live_;
  std::unordered_map<Seq, Mark> flying_;
  std::unordered_map<KeyHash, std::set<Seq>> by_key_;
  std::map<Seq, DeadRow> dead_;
  std::map<Seq, std::deque<FailedAttempt>> failures_;
  QueueCounts totals_;
};

}  // namespace tgkeep::store
