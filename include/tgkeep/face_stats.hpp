#pragma once
// What a bot did at its face, where it reaches the Bot API: counters since the process began, and what is
// there now.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/latency.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep {

/// Updates that a bot fetches itself.
class PullStats {
 public:
  PullStats() = default;
  std::int64_t polls = 0;             ///< that came
  std::optional<MonoTime> last_poll;  ///< when it came; now, while one waits
  std::int64_t handed_out = 0;        ///< repeats included
  std::int64_t restarts = 0;          ///< of the bot, seen by its offset
  std::size_t waiting = 0;            ///< not handed out yet
  std::size_t unconfirmed = 0;        ///< handed out
  std::size_t pollers = 0;            ///< that wait now
};

/// A bot's calls to Telegram, by what became of them.
class OutgoingStats {
 public:
  OutgoingStats() = default;
  std::int64_t passed = 0;      ///< answered by Telegram with a result
  std::int64_t refused = 0;     ///< answered by Telegram with a refusal, which was passed on
  std::int64_t not_sent = 0;    ///< surely did not reach Telegram, and the bot was told so
  std::int64_t maybe_sent = 0;  ///< may have taken effect, and the bot was told so
  std::int64_t held_back = 0;   ///< answered with 429 by us: waited too long, or too many waited
  std::int64_t resent = 0;      ///< tries after the first
  std::int64_t hung_up = 0;     ///< taken out of the line as nobody waited for the answer
  std::size_t waiting = 0;      ///< now
  std::size_t running = 0;      ///< now
  std::size_t flooded = 0;      ///< chats that wait now because Telegram said so
  LatencyHistogram waits;       ///< before they were sent first
};

/// Both, of one bot.
class FaceStats {
 public:
  FaceStats() = default;
  bool pulls = false;   ///< it gets its updates here; else only its calls pass
  std::string webhook;  ///< host and port of the one that the bot itself has set; "": none
  /// Why the last delivery to it that failed did so; "": none has since it was set.
  std::string webhook_error;
  PullStats pull;          ///< of its updates
  OutgoingStats outgoing;  ///< of its calls
};

static_assert(!std::is_aggregate_v<PullStats> && !std::is_aggregate_v<OutgoingStats> &&
              !std::is_aggregate_v<FaceStats>);

}  // namespace tgkeep
