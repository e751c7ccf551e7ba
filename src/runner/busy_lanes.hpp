#pragma once
// Which lanes to show a person first. Pure.

#include <functional>
#include <optional>
#include <tgkeep/runner.hpp>
#include <vector>

namespace tgkeep::runner {

/// For how long the delivery of an item has been running; nothing when it does not run.
using RunningFor = std::function<std::optional<Duration>(Seq)>;

/// Whether it is at work or blocked: its head runs or waits for its time, or others wait behind it.
bool is_busy(const BusyLane& lane);

/// The lanes with most behind them, then those busy longest, then in put order; at most `limit`.
std::vector<BusyLane> busiest(std::vector<BusyLane> lanes, std::size_t limit);

}  // namespace tgkeep::runner
