#pragma once
// `tgkeep demo`: sends a bot thousands of updates, kills it again and again, and counts what is left.

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace tgkeep::demo {

class DemoOptions {
 public:
  DemoOptions() = default;
  std::int64_t updates = 20'000;
  std::int64_t kills = 3;
  std::uint64_t seed = 1;
  std::size_t chats = 1000;
  bool webhook = false;  ///< Telegram sends updates to the bot's webhook; else the bot polls
  bool push = false;     ///< the bot pushes updates to a receiver in a process of its own (needs python3)
  bool kill_receiver = false;  ///< kills that receiver instead of the bot; includes `push`
  /// Of store and logs. Empty: a new temporary one, removed when all is well. A given one is made if missing,
  /// must be empty, and is kept.
  std::string folder;
  /// Program and first arguments of the bot, to which the options of `demo-pipeline` are added. Empty: this
  /// program with `demo-pipeline`.
  std::vector<std::string> pipeline_command;
  std::chrono::seconds patience{60};  ///< without any progress the demo gives up
};

/// Progress goes to stderr, a table and one line of JSON (last) to stdout. 0 only when nothing was lost or
/// out of order and all figures fit together; 1 when not, 2 for options that make no sense.
int run_demo(const DemoOptions& options);

static_assert(!std::is_aggregate_v<DemoOptions>);

}  // namespace tgkeep::demo
