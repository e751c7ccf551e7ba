#pragma once
// The demo's live line: redrawn in place on a terminal, a plain line now and then elsewhere.

#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/time.hpp>

namespace tgkeep::demo {

class Progress {
 public:
  Progress() = default;
  std::int64_t updates = 0;   ///< in all
  std::int64_t received = 0;  ///< by the bot, repeats included
  std::int64_t stored = 0;    ///< confirmed to Telegram
  std::int64_t handled = 0;
  std::int64_t running = 0;
  std::int64_t kills = 0;
  std::int64_t rate = 0;  ///< handled per second, of late
  Duration oldest{};      ///< age of the oldest update not handled
};

std::string to_line(const Progress& progress);

class LiveLine {
 public:
  /// Draws to stderr.
  LiveLine();
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Whether it is time for the next `show`.
  bool is_due(MonoTime now) const;
  /// Fills in the rate.
  void show(Progress progress, MonoTime now);
  /// A line that stays.
  void say(const std::string& text);

 private:
  void clear();

  bool terminal_;
  bool drawn_ = false;
  std::optional<MonoTime> shown_;
  std::int64_t handled_then_ = 0;
};

}  // namespace tgkeep::demo
