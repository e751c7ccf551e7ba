#pragma once
// How deliveries were settled by their bots, from a bot's word to the store's answer. On the loop's thread.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <tgkeep/outcome.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loop/event.hpp"
#include "sink/settle_request.hpp"

namespace tgkeep::sink {

/// One settlement that was taken. Shared by all that want to know whether it is written.
class SettledAs {
 public:
  enum class Fate : std::uint8_t {
    open,     ///< not known yet
    written,  ///< it survives kill -9 and a power cut
    refused,  ///< the store had no such delivery in flight any more
    lost,     ///< given up unwritten: the store or the runner failed
  };
  explicit SettledAs(SettleRequest::Action action) : action(action) {}
  SettledAs(const SettledAs&) = delete;
  SettledAs& operator=(const SettledAs&) = delete;

  const SettleRequest::Action action;
  /// Its delivery can't end before the bot has answered the request that brought it.
  bool held_up = false;
  Fate fate() const noexcept { return fate_; }
  /// Once; later ones change nothing.
  void decide(Fate fate);
  /// `decided` is notified by `decide`, until it is taken back.
  void tell(loop::Event& decided) { waiting_.push_back(&decided); }
  void tell_no_more(const loop::Event& decided) { std::erase(waiting_, &decided); }

 private:
  Fate fate_ = Fate::open;
  std::vector<loop::Event*> waiting_;
};

/// Goes to the runner with the outcome, and brings back what became of it.
std::shared_ptr<Receipt> receipt_of(std::shared_ptr<SettledAs> settled);

/// The last ones, so that who asks again is told the same: for ten minutes after they were taken, and as long
/// as they are open; at most a hundred thousand.
template <class Key, class Hash = std::hash<Key>>
class SettledMemory {
 public:
  void remember(const Key& key, std::shared_ptr<SettledAs> settled, MonoTime now) {
    if (order_.size() >= kMost) forget_first();
    order_.emplace_back(key, settled.get(), now + kKept);
    settled_.insert_or_assign(key, std::move(settled));
  }
  /// Nothing, too, for one that does not count.
  std::shared_ptr<SettledAs> find(const Key& key, MonoTime now) {
    while (!order_.empty() && order_.front().until <= now && !is_open(order_.front())) forget_first();
    const auto place = settled_.find(key);
    if (place == settled_.end()) return nullptr;
    const SettledAs::Fate fate = place->second->fate();
    const bool counts = fate == SettledAs::Fate::open || fate == SettledAs::Fate::written;
    return counts ? place->second : nullptr;
  }

 private:
  static constexpr std::size_t kMost = 100'000;
  static constexpr Duration kKept = std::chrono::minutes(10);

  class Place {
   public:
    Place(const Key& key, const SettledAs* settled, MonoTime until)
        : key(key), settled(settled), until(until) {}
    Key key;
    const SettledAs* settled;  ///< tells whether the key has been settled anew since
    MonoTime until;
  };
  bool is_open(const Place& place) const {
    const auto known = settled_.find(place.key);
    return known != settled_.end() && known->second.get() == place.settled &&
           known->second->fate() == SettledAs::Fate::open;
  }
  void forget_first() {
    const auto known = settled_.find(order_.front().key);
    if (known != settled_.end() && known->second.get() == order_.front().settled) settled_.erase(known);
    order_.pop_front();
  }

  std::unordered_map<Key, std::shared_ptr<SettledAs>, Hash> settled_;
  std::deque<Place> order_;
};

}  // namespace tgkeep::sink
