#pragma once
// Under which numbers updates were handed out to a bot that polls: it sees these as update_id, not Telegram's
// (which arrive out of order, while a bot confirms everything below an offset).

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tgkeep/error.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

namespace asio = boost::asio;

/// One update handed out under a number.
class Handout {
 public:
  Handout() = default;
  Handout(PullId id, Seq seq, WallTime at) : id(id), seq(seq), at(at) {}
  PullId id;  ///< what the bot sees as update_id
  Seq seq;    ///< of the item in the inbox
  /// When its number was noted: right before it was handed out first, or, for a bot that takes updates fast
  /// and as long as it does, up to about 100 ms before (never with `PullSettings::lease`). What had been
  /// noted when the bot stopped asking keeps that time, handed out or not. The epoch: it was not handed out;
  /// the numbers this item had before count no more.
  WallTime at{};
};

/// The book of handouts of one store. Keeps at least the last 100,000, and all of items that are not settled.
/// Same thread rule as `Store`.
class Handouts {
 public:
  virtual ~Handouts() = default;
  /// Writes them; returns when they survive kill -9. After a power cut the last ones may be missing, but none
  /// before a settlement that is durable. Ids grow; one that does not is `misuse`, and none is written.
  virtual asio::awaitable<Result<void>> note(std::vector<Handout> handouts) = 0;
  /// The highest id ever noted; 0: none.
  virtual asio::awaitable<Result<PullId>> last() = 0;
  /// Those whose item is not settled yet, by id; of an item with several only the last.
  virtual asio::awaitable<Result<std::vector<Handout>>> open() = 0;
  /// Those handed out at `from` or later whose item is done, by id; the last `limit` of them. As far as
  /// finished items are kept.
  virtual asio::awaitable<Result<std::vector<Handout>>> done_since(WallTime from, std::size_t limit) = 0;
  /// The one with this id, if it is still known.
  virtual asio::awaitable<Result<std::optional<Handout>>> find(PullId id) = 0;
  /// All of this item, by id, as far as they are known.
  virtual asio::awaitable<Result<std::vector<Handout>>> of(Seq seq) = 0;

 protected:
  Handouts() = default;
  Handouts(const Handouts&) = delete;
  Handouts& operator=(const Handouts&) = delete;
};

static_assert(!std::is_aggregate_v<Handout>);

}  // namespace tgkeep
