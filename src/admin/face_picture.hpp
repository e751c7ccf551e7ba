#pragma once
// What a bot did at its face, as operators see it: counters since the process began, and what is there now.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/latency.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep::admin {

class FacePicture {
 public:
  FacePicture() = default;
  bool pulls = false;         ///< it gets its updates here; else only its calls pass
  std::string webhook;        ///< host and port of the one the bot itself has set; "": it polls
  std::string webhook_error;  ///< of the last delivery to it that failed; "": none

  // Of a bot that pulls.
  std::int64_t polls = 0;
  std::optional<MonoTime> last_poll;  ///< now, while one waits
  std::size_t pollers = 0;            ///< that wait now
  std::int64_t handed_out = 0;
  std::int64_t restarts = 0;    ///< of the bot
  std::size_t waiting = 0;      ///< updates that could be fetched
  std::size_t unconfirmed = 0;  ///< updates that were, and are not confirmed

  // Its calls: how they ended, and how many are there now.
  std::int64_t passed = 0;
  std::int64_t refused = 0;
  std::int64_t not_sent = 0;
  std::int64_t maybe_sent = 0;
  std::int64_t held_back = 0;
  std::int64_t hung_up = 0;
  std::int64_t resent = 0;
  std::size_t calls_waiting = 0;
  std::size_t calls_running = 0;
  std::size_t flooded = 0;      ///< chats that wait because Telegram said so
  LatencyHistogram call_waits;  ///< before they were sent first
};

static_assert(!std::is_aggregate_v<FacePicture>);

}  // namespace tgkeep::admin
