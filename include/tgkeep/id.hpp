#pragma once
// Ids that can't be mixed up: each is a number with a name.

#include <compare>
#include <cstdint>
#include <functional>

namespace tgkeep {

/// A 64-bit number that belongs to one idea only. Default: 0.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::int64_t value) : value_(value) {}
  /// The bare number.
  constexpr std::int64_t value() const noexcept { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::int64_t value_ = 0;
};

/// A bot's user id, plus 2^54 for Telegram's test environment (the server's own rule): a new token keeps it.
using BotId = Id<struct BotIdTag>;
/// Telegram's update_id. Not contiguous, not monotonic; see docs/delivery.md.
using UpdateId = Id<struct UpdateIdTag>;
/// Position in a queue of the store: grows with each put, never reused. 0 stands before the first.
using Seq = Id<struct SeqTag>;
/// A 64-bit hash of an ordering key. A collision only orders more than asked.
using KeyHash = Id<struct KeyHashTag>;
/// The update_id a bot sees at the face: a number of our own, in the order of handing out (handouts.hpp).
using PullId = Id<struct PullIdTag>;
/// Pull ids are shown as 1 to this, and from 1 again: clients hold 31 bits, as Telegram's own ids do.
inline constexpr std::int64_t kShownPullIds = 1'999'999'999;
/// The update_id a bot sees for it.
constexpr std::int64_t shown(PullId id) noexcept {
  return 1 + (id.value() - 1) % kShownPullIds;
}
/// Grows by one each time a store is opened.
using Epoch = Id<struct EpochTag>;

}  // namespace tgkeep

template <class Tag>
struct std::hash<tgkeep::Id<Tag>> {
  std::size_t operator()(tgkeep::Id<Tag> id) const noexcept { return std::hash<std::int64_t>{}(id.value()); }
};
