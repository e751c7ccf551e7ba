#pragma once
// A fixed piece of a store's life, verb by verb, and what must be in the store after each: replayed on a
// memory shelf, which knows neither files nor SQL.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <tgkeep/handouts.hpp>
#include <tgkeep/store.hpp>
#include <vector>

#include "store/memory/memory_shelf.hpp"

namespace tgkeep::prove {

/// One verb with its arguments.
class Step {
 public:
  enum class Kind : std::uint8_t { put, begin, renew, settle, retry, archive, note, reopen };
  explicit Step(Kind kind) : kind(kind) {}
  Kind kind;
  Queue queue = Queue::inbox;
  std::vector<Update> updates;
  std::vector<Seq> seqs;
  Mark mark = Mark::shared;
  std::vector<Settlement> settlements;
  std::vector<Handout> handouts;
  /// Whether it is durable when it returns; else it survives the process, not the machine.
  bool is_synced() const {
    if (kind == Kind::begin) return queue == Queue::outbox;
    return kind != Kind::renew && kind != Kind::archive && kind != Kind::note;
  }
};

class Scenario {
 public:
  /// The same seed gives the same steps.
  Scenario(std::uint64_t seed, std::size_t steps);

  const std::vector<Step>& steps() const noexcept { return steps_; }
  /// What a store must hold that is opened after the first `count` steps.
  std::unique_ptr<store::MemoryShelf> after(std::size_t count) const;
  /// How many of the first `count` steps a power cut can't undo.
  std::size_t durable(std::size_t count) const;
  /// All that can be known from outside: empty, or the first difference. Begins everything that waits, so ask
  /// once.
  boost::asio::awaitable<std::string> difference(Store& store, store::MemoryShelf& expected) const;

 private:
  Step choose_step(std::uint64_t roll, store::MemoryShelf& shelf, class Dice& dice);
  std::vector<Step> steps_;
  std::int64_t next_update_ = 1;
  std::int64_t next_number_ = 1;
};

/// Performs it on a store; `reopen` is the caller's.
boost::asio::awaitable<Result<void>> perform(Store& store, Step step);

static_assert(!std::is_aggregate_v<Step>);

}  // namespace tgkeep::prove
