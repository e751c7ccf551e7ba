#include "prove/sim_fault.hpp"

namespace tgkeep::prove {

namespace {

constexpr std::array<std::string_view, kSimFaults> kNames{
    "poll_request_lost",
    "poll_answer_lost",
    "poll_conflict",
    "poll_flood",
    "poll_server_error",
    "poll_half_answer",
    "poll_html",
    "poll_repeats",
    "id_jump",
    "unreadable_update",
    "burst",
    "webhook_hang_up",
    "webhook_answer_lost",
    "webhook_sent_twice",
    "mode_switch",
    "store_full",
    "store_slow",
    "sync_failed_written",
    "sync_failed_unwritten",
    "killed",
    "killed_before_commit",
    "killed_after_commit",
    "poison_update",
    "stopped",
    "cut_off",
    "runner_restarted",
    "handler_throws",
    "handler_retry",
    "handler_retry_after",
    "handler_dead",
    "handler_postpone",
    "handler_times_out",
    "handler_ends_late",
    "call_not_sent",
    "call_lost",
    "call_answer_lost",
    "call_flood",
    "call_refused",
    "dead_letter_retried",
    "paused",
    "clock_forward",
    "clock_back",
};
static_assert(!kNames.back().empty());

}  // namespace

std::string_view to_string(SimFault fault) noexcept {
  return kNames[static_cast<std::size_t>(fault)];
}

void SimCoverage::add(const SimCoverage& other) noexcept {
  for (std::size_t i = 0; i < kSimFaults; ++i) counts_[i] += other.counts_[i];
}

std::vector<SimFault> SimCoverage::missing() const {
  std::vector<SimFault> missing;
  for (std::size_t i = 0; i < kSimFaults; ++i) {
    if (counts_[i] == 0) missing.push_back(static_cast<SimFault>(i));
  }
  return missing;
}

}  // namespace tgkeep::prove
