#pragma once
// Which heads are kept in memory: at most so many, at most so many of a key (P11). The rest stay in the store
// and are fetched by key when there is room. Pure.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <tgkeep/id.hpp>
#include <vector>

#include "rules/lanes.hpp"

namespace tgkeep::rules {

/// Heads are offered in put order by a scan. One that finds no room is skipped and closes all its keys: later
/// heads with one of them are skipped too, so that order holds, until the skipped one is loaded by a refill
/// of a key.
class HeadWindow {
 public:
  HeadWindow(std::size_t max_heads, std::size_t max_per_key)
      : max_heads_(max_heads), max_per_key_(max_per_key) {}

  /// How many more heads the scan may offer; 0: wait until something was released.
  std::size_t scan_room() const noexcept;

  /// A head from the scan: true = loaded, false = skipped.
  bool offer(Seq seq, std::span<const KeyHash> keys);

  /// A loaded head is gone.
  void release(std::span<const KeyHash> keys);

  /// A key whose skipped heads should be fetched now: those with seq > `after`, at most `limit`, in put
  /// order.
  class Refill {
   public:
    Refill(KeyHash key, Seq after, Seq up_to, std::size_t limit)
        : key(key), after(after), up_to(up_to), limit(limit) {}
    KeyHash key;
    Seq after;
    Seq up_to;  ///< the last skipped head of the key when asked; later ones are not this refill's matter
    std::size_t limit;
  };
  std::optional<Refill> next_refill();

  /// Offers one head of a refill's answer, in put order: true = loaded. After false, stop offering.
  bool offer_refill(const Refill& refill, Seq seq, std::span<const KeyHash> keys);
  /// Ends a refill. `complete`: all it asked for was offered and loaded, and there was no more.
  void end_refill(const Refill& refill, bool complete);

  std::size_t loaded() const noexcept { return loaded_; }
  std::size_t closed_keys() const noexcept { return closed_; }
  void clear();

 private:
  struct Key {
    std::size_t loaded = 0;
    // Closed: no head of the key from `from` on is loaded, all before are loaded or settled.
    bool closed = false;
    bool queued = false;  // in refills_
    Seq from;
    Seq last_skipped;
    std::vector<KeyHash> waiting;  // keys whose next head waits for progress of this one
  };
  using Keys = boost::unordered_flat_map<KeyHash, Key, KeyHashBits>;

  void queue_refill(KeyHash hash, Key& key);
  void advance(Key& key, Seq from);
  void wake_waiting(Key& key);
  void forget_if_idle(KeyHash hash);

  std::size_t max_heads_;
  std::size_t max_per_key_;
  std::size_t loaded_ = 0;
  std::size_t closed_ = 0;
  Keys keys_;
  std::deque<KeyHash> refills_;
};

}  // namespace tgkeep::rules
