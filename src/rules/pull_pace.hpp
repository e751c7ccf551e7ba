#pragma once
// How fast a bot that polls takes updates, and how many numbers to note ahead for it. Pure: time is an
// argument.

#include <cstddef>
#include <deque>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// When a number is noted ahead, the book tells the time of that in place of when its update is handed out.
/// So as many are noted ahead as the bot took within the last 100 ms: if it goes on so, it takes them within
/// the next. None for a bot that takes none within 100 ms.
class PullPace {
 public:
  /// At most `most` ahead; 0: never any.
  explicit PullPace(std::size_t most) : most_(most) {}

  /// So many updates were handed out that had not been before. Times must not go back.
  void took(std::size_t updates, MonoTime now);
  /// How many numbers to note ahead.
  std::size_t ahead(MonoTime now);

 private:
  class Taken {
   public:
    Taken(MonoTime at, std::size_t updates) : at(at), updates(updates) {}
    MonoTime at;
    std::size_t updates;
  };

  const std::size_t most_;
  std::deque<Taken> taken_;  // within the last 100 ms
  std::size_t sum_ = 0;
};

}  // namespace tgkeep::rules
