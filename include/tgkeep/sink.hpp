#pragma once
// A sink hands one item to whatever handles it and answers with the Outcome.

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <tgkeep/outcome.hpp>
#include <tgkeep/store.hpp>

namespace tgkeep {

/// One attempt to hand over one item. Shared, because a handler that outlives its timeout still holds it.
class Delivery {
 public:
  Delivery(Item item, bool late) : item(std::move(item)), late(late) {}
  const Item item;  ///< what is handed over
  /// Older than Telegram itself would have kept it (P3).
  const bool late;
};

/// Where items go. Called on the loop's thread.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Hands the delivery over and returns when it has ended. Cancelled (terminal) at its timeout and at the
  /// end of a drain: it should then end soon; until it does, its lane stays closed. May throw: counts as a
  /// failed attempt.
  virtual asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) = 0;

 protected:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
};

}  // namespace tgkeep
