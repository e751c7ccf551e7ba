#pragma once
// Everything that can go wrong in a simulation, and how often it did: a fault that never struck proves
// nothing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tgkeep::prove {

enum class SimFault : std::uint8_t {
  // getUpdates
  poll_request_lost,
  poll_answer_lost,  ///< after it confirmed what was before its offset
  poll_conflict,
  poll_flood,
  poll_server_error,
  poll_half_answer,
  poll_html,
  poll_repeats,  ///< confirmed updates come again
  // updates
  id_jump,
  unreadable_update,
  burst,
  // webhook
  webhook_hang_up,
  webhook_answer_lost,  ///< it was 2xx, and the update comes again
  webhook_sent_twice,   ///< at the same time
  mode_switch,          ///< from polling to a webhook or back
  // the store
  store_full,
  store_slow,
  sync_failed_written,
  sync_failed_unwritten,
  // the process
  killed,
  killed_before_commit,
  killed_after_commit,
  poison_update,
  stopped,
  cut_off,  ///< by a stop
  runner_restarted,
  // the handler
  handler_throws,
  handler_retry,
  handler_retry_after,
  handler_dead,
  handler_postpone,
  handler_times_out,
  handler_ends_late,  ///< it does not heed its cancellation
  // calls
  call_not_sent,
  call_lost,         ///< sent, without effect and without answer
  call_answer_lost,  ///< it took effect
  call_flood,
  call_refused,
  // people and clocks
  dead_letter_retried,
  paused,  ///< the deliveries of a queue, for a while
  clock_forward,
  clock_back,
  count_,
};

inline constexpr std::size_t kSimFaults = static_cast<std::size_t>(SimFault::count_);

std::string_view to_string(SimFault fault) noexcept;

class SimCoverage {
 public:
  SimCoverage() = default;
  void struck(SimFault fault) noexcept { ++counts_[static_cast<std::size_t>(fault)]; }
  std::int64_t of(SimFault fault) const noexcept { return counts_[static_cast<std::size_t>(fault)]; }
  void add(const SimCoverage& other) noexcept;
  std::vector<SimFault> missing() const;

 private:
  std::array<std::int64_t, kSimFaults> counts_{};
};

}  // namespace tgkeep::prove
