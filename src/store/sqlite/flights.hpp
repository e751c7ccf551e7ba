#pragma once
// What is in flight: a small table of marks (so that starting an item rewrites no body) and the same in
// memory.

#include <array>
#include <deque>
#include <unordered_map>

#include "store/row.hpp"
#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// One delivery: the row without its body, and when it began.
class Flight {
 public:
  Flight(Row row, WallTime started) : row(std::move(row)), started(started) {}
  Row row;
  WallTime started;
};

class Flights {
 public:
  explicit Flights(Database& database);

  bool contains(Queue queue, Seq seq) const { return map(queue).contains(seq); }
  void begin(Queue queue, Flight flight, Mark mark, Epoch epoch);
  /// A delivery, which ends; null when it is not in flight. Valid until the transaction ends.
  const Flight* end(Queue queue, Seq seq);
  void share(Queue queue, Seq seq);

  void committed() { changes_.clear(); }
  void rolled_back();

 private:
  using Map = std::unordered_map<Seq, Flight>;
  /// One change of this transaction: a flight that has ended, or, without one, that has begun.
  class Change {
   public:
    Change(Queue queue, Seq seq, std::optional<Flight> ended)
        : queue(queue), seq(seq), ended(std::move(ended)) {}
    Queue queue;
    Seq seq;
    std::optional<Flight> ended;
  };
  Map& map(Queue queue) { return maps_[static_cast<std::size_t>(queue)]; }
  const Map& map(Queue queue) const { return maps_[static_cast<std::size_t>(queue)]; }

  std::array<Map, 2> maps_;
  std::deque<Change> changes_;
  Statement insert_;
  Statement erase_;
  Statement share_;
};

}  // namespace tgkeep::store
