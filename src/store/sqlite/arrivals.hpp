#pragma once
// The loop's side of leasing: who waits for heads, and the heads that came last, so that a runner which keeps
// up gets them without a question to the store thread. Everything on the loop's thread.

#include <array>
#include <deque>
#include <list>
#include <optional>

#include "loop/event.hpp"
#include "store/sqlite/ledger.hpp"

namespace tgkeep::store {

/// Per queue it holds every head with seq above a floor that may be leased. Whatever it can't follow (a head
/// that begins or comes back out of turn, too many heads) raises the floor: below it, the database knows.
class Arrivals {
 public:
  explicit Arrivals(std::array<Seq, 2> last) : floors_(last) {}

  /// True when `take` can answer for everything after `after`.
  bool covers(Queue queue, Seq after) const { return after >= floor(queue); }
  std::vector<Head> take(Queue queue, Seq after, std::size_t limit);

  void apply(Changes&& changes);
  /// The store has failed: nobody waits any longer in vain.
  void fail(const Error& error);
  const std::optional<Error>& failure() const noexcept { return failure_; }

  /// One waiting lease.
  class Waiting {
   public:
    Waiting(Arrivals& arrivals, Queue queue, Seq after, const asio::any_io_executor& loop);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    loop::Event arrived;

   private:
    friend class Arrivals;
    Arrivals& arrivals_;
    Queue queue_;
    Seq after_;
    std::list<Waiting*>::iterator place_;
  };

 private:
  static constexpr std::size_t kLimit = 8192;
  void put(Queue queue, std::vector<Head>& heads);
  void begun(Queue queue, Seq seq);
  Seq floor(Queue queue) const { return floors_[static_cast<std::size_t>(queue)]; }
  void raise_floor(Queue queue, Seq floor);
  void wake(Queue queue, Seq seq);

  std::array<Seq, 2> floors_;
  std::array<std::deque<Head>, 2> heads_;
  std::list<Waiting*> waiting_;
  std::optional<Error> failure_;
};

}  // namespace tgkeep::store
