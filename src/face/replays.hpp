#pragma once
// The lease: for bots that confirm updates before they have finished with them.

#include <boost/asio/awaitable.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store.hpp>

namespace tgkeep::face {

namespace asio = boost::asio;

/// `clock` and `store` must outlive it.
class Replays {
 public:
  /// Off when `lease` is 0 or the store can't do it.
  Replays(Clock& clock, Store& store, Duration lease, Log log);
  bool on() const noexcept { return on_; }
  /// What was handed out within the lease and is done comes again, as new runs at the tail. One that has come
  /// three times this way does not come again: it may be what makes the bot stop.
  asio::awaitable<void> bring_back();

 private:
  Clock& clock_;
  Store& store_;
  Duration lease_;
  Log log_;
  bool on_;
};

}  // namespace tgkeep::face
