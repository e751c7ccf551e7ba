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
/// own window is then its own. Until that is so nothing else starts, which is bounded by one window. A
/// suspect that outlives its window lets the others start once before the next suspect's turn.
class Suspects {
 public:
  enum class Next : std::uint8_t { others, suspect, nothing };

  explicit Suspects(Duration window) : window_(window) {}

  /// What may start now; `youngest` is the latest start of what runs, if anything does.
  Next next(MonoTime now, bool suspect_ready, std::optional<MonoTime> youngest) const;
  /// When to ask again, after `nothing`.
  std::optional<MonoTime> ask_again(bool suspect_ready, std::optional<MonoTime> youngest) const;

  void started(MonoTime now);
  void ended();
  bool in_window() const noexcept { return window_end_.has_value(); }
  /// The window is over and its delivery still runs: renew its mark, then call `outlived`.
  bool is_over(MonoTime now) const noexcept { return window_end_ && now >= *window_end_; }
  void outlived();
  /// The others had their turn.
  void others_started() noexcept { others_first_ = false; }
  void clear();

 private:
  Duration window_;
  std::optional<MonoTime> window_end_;
  bool others_first_ = false;
};

}  // namespace tgkeep::rules
