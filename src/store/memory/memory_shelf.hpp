#pragma once
// All that a memory store holds, apart from the store: what a disk would keep when the process dies. No
// waiting, no loop.

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/store.hpp>
#include <tgkeep/store_browser.hpp>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "store/memory/handout_book.hpp"
#include "store/memory/memory_queue.hpp"

namespace tgkeep::store {

/// The verbs of a store, each done at once and whole.
class MemoryShelf {
 public:
  MemoryShelf() = default;
  MemoryShelf(const MemoryShelf&) = delete;
  MemoryShelf& operator=(const MemoryShelf&) = delete;

  /// What opening a store does: a new epoch, and the crashes of what was in flight are counted (P7).
  void open(WallTime now);

  std::vector<PutResult> put(std::vector<Update> updates, WallTime now);
  std::vector<Head> heads(const LeaseRequest& request) { return queue(request.queue).heads(request); }
  std::vector<Item> begin(Queue queue, const std::vector<Seq>& seqs, Mark mark);
  void renew(Queue queue, const std::vector<Seq>& seqs);
  std::vector<bool> settle(const std::vector<Settlement>& settlements, WallTime now);
  StoreCounts counts() const;
  /// In put order.
  std::vector<Seq> in_flight(Queue queue) const;
  Epoch epoch() const noexcept { return epoch_; }

  ItemPage find(const ItemFilter& filter, Seq after, std::size_t limit, bool newest_first,
                bool with_bodies) const;
  std::optional<StoredItem> item(Queue name, Seq seq) const { return queue(name).view(seq); }
  std::vector<ItemTrace> trace(UpdateId id) const;
  std::vector<bool> drop(Queue queue, const std::vector<Seq>& seqs, const std::string& by);
  std::vector<Replayed> replay(const std::vector<Seq>& seqs, bool force);
  bool paused(Queue queue) const noexcept { return paused_[static_cast<std::size_t>(queue)]; }
  void set_paused(Queue queue, bool paused) { paused_[static_cast<std::size_t>(queue)] = paused; }
  /// Takes away what it may; what is in flight stays, its seqs are appended.
  Erased erase(const EraseRequest& request, std::vector<std::pair<Queue, Seq>>& in_flight);
  Result<void> note(const std::vector<Handout>& handouts);
  const HandoutBook& handouts() const noexcept { return handouts_; }
  std::vector<Handout> open_handouts() const;
  /// Dead letters and held ones, oldest first.
  std::vector<StoredItem> dead_letters(Queue queue) const;
  /// The new seq; nothing when there is no such dead letter.
  std::optional<Seq> retry(Queue queue, Seq seq);
  std::optional<std::string> state(BotId bot, const std::string& space, const std::string& key) const;
  /// Empty, or the first total that differs from its rows.
  std::string audit() const;

 private:
  using Id = std::pair<BotId, UpdateId>;
  class Seen {
   public:
    Seen(Seq seq, WallTime at) : seq(seq), at(at) {}
    Seq seq;
    WallTime at;
  };

  MemoryQueue& queue(Queue name) noexcept { return name == Queue::inbox ? inbox_ : outbox_; }
  const MemoryQueue& queue(Queue name) const noexcept { return name == Queue::inbox ? inbox_ : outbox_; }
  PutResult put_one(Update& update, WallTime now);
  bool settle_one(const Settlement& settlement, WallTime now);
  void finish(const Settlement& settlement, const Row& row, WallTime now);
  void die(Queue queue, const Row& row, std::string reason, std::string error, WallTime now);
  void recover_one(Queue queue, Seq seq, Mark mark, bool beside_suspect, WallTime now);
  void forget_old(WallTime now);
  Replayed replay_one(Seq seq, bool force);
  std::int64_t erase_waiting(Queue queue, const std::vector<Seq>& seqs,
                             std::vector<std::pair<Queue, Seq>>& in_flight);
  Seq latest(const Row& row) const;

  MemoryQueue inbox_{Queue::inbox};
  MemoryQueue outbox_{Queue::outbox};
  std::map<Id, Seen> seen_;
  std::deque<std::pair<WallTime, Id>> seen_order_;
  std::unordered_set<KeyHash> gaps_;
  HandoutBook handouts_;
  std::map<std::tuple<BotId, std::string, std::string>, std::string> state_;
  std::array<bool, 2> paused_{};
  Epoch epoch_;
};

}  // namespace tgkeep::store
