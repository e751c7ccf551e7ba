#pragma once
// Updates that were in flight at repeated crashes run one at a time with nothing beside them (P7), so that a
// poison update takes no neighbour along. Pure: says what may start now.

#include <cstdint>
#include <optional>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// One at most is in its window: from its start until it has ended or the window is over.
///
/// A suspect starts when everything that runs has been running for a whole window: a crash in the suspect's
/// own window is then its own. Until that is so nothing else starts, which is bounded by one window. Suspects
/// follow one another for one window at most, then the others have a turn of the same length (P6).
class Suspects {
 public:
  enum class Next : std::uint8_t { others, suspect, nothing };

  explicit Suspects(Duration window) : window_(window) {}

  /// What may start now; `youngest` is the latest start of what runs, if anything does.
  Next next(MonoTime now, bool suspect_ready, std::optional<MonoTime> youngest) const;
  /// When the answer changes by itself.
  std::optional<MonoTime> ask_again(MonoTime now, bool suspect_ready, std::optional<MonoTime> youngest) const;

  void started(MonoTime now);
  void ended(MonoTime now);
  /// The window is over and its delivery still runs: renew its mark, then call `outlived`.
  bool is_over(MonoTime now) const noexcept { return window_end_ && now >= *window_end_; }
  void outlived(MonoTime now);
  /// None of the others is ready: ends their turn; false when it was not theirs.
  bool end_turn() noexcept;
  void clear();

 private:
  void give_turn(MonoTime now);

  Duration window_;
  std::optional<MonoTime> window_end_;
  std::optional<MonoTime> first_of_row_;  // start of the first of the suspects that followed one another
  MonoTime others_until_ = MonoTime::min();
};

}  // namespace tgkeep::rules
