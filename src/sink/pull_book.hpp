#pragma once
// The book of handouts, as the pulls and deliveries of one bot use it: one at a time.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/handouts.hpp>
#include <tgkeep/log.hpp>

#include "loop/event.hpp"
#include "rules/pull_window.hpp"

namespace tgkeep::sink {

/// Everything on the loop's thread. `window` and `clock` must outlive it.
class PullBook {
 public:
  PullBook(const asio::any_io_executor& loop, Clock& clock, Handouts* handouts, rules::PullWindow& window,
           const Log& log)
      : clock_(clock), handouts_(handouts), window_(window), log_(log), free_(loop) {}
  PullBook(const PullBook&) = delete;
  PullBook& operator=(const PullBook&) = delete;

  /// Tells the window, once, what the lives before have left; false: it can't be read now, see the log.
  asio::awaitable<bool> read();
  bool is_read() const noexcept { return read_; }
  bool in_use() const noexcept { return in_use_; }
  /// Ends when it may be free.
  asio::awaitable<void> wait() { return free_.wait(); }
  /// Writes what the window wants noted. Only while it is not in use. A write that has begun is waited for,
  /// cancelled or not: else nobody would know whether the numbers are there.
  asio::awaitable<bool> note();
  /// The same when it is free, whether or not the caller is cancelled meanwhile.
  asio::awaitable<void> note_in_turn();

 private:
  class Use {
   public:
    explicit Use(PullBook& book) : book_(book) { book_.in_use_ = true; }
    ~Use() {
      book_.in_use_ = false;
      book_.free_.notify();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PullBook& book_;
  };

  Clock& clock_;
  Handouts* const handouts_;
  rules::PullWindow& window_;
  const Log& log_;
  loop::Event free_;
  bool in_use_ = false;
  bool read_ = false;
};

}  // namespace tgkeep::sink
