#pragma once
// Under which numbers updates of a memory store were handed out. No waiting, no loop.

#include <functional>
#include <map>
#include <tgkeep/handouts.hpp>
#include <unordered_map>
#include <vector>

namespace tgkeep::store {

class HandoutBook {
 public:
  /// Whether an item is still to be settled.
  using Waits = std::function<bool(Seq)>;

  /// `misuse`, and nothing noted, when the numbers do not grow. Forgets old ones of settled items on the way.
  Result<void> note(const std::vector<Handout>& handouts, const Waits& waits);
  void done(Seq seq);
  PullId last() const noexcept { return last_; }
  std::vector<Handout> open(const Waits& waits) const;
  std::vector<Handout> done_since(WallTime from, std::size_t limit) const;
  std::optional<Handout> find(PullId id) const;
  std::optional<Handout> find_seen_as(std::int64_t update_id) const;
  /// By id.
  std::vector<Handout> of(Seq seq) const;

 private:
  class Entry {
   public:
    explicit Entry(Handout handout) : handout(handout) {}
    Handout handout;
    bool done = false;
  };
  void sweep(std::size_t noted, const Waits& waits);
  void forget(std::map<PullId, Entry>::iterator entry);

  std::map<PullId, Entry> entries_;
  std::unordered_map<Seq, std::vector<PullId>> of_;
  PullId last_;
  PullId swept_;
};

}  // namespace tgkeep::store
