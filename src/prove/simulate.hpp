#pragma once
// `tgkeep prove --sim`: many simulations, one after another, and what they found.

#include <cstdint>
#include <optional>
#include <type_traits>

namespace tgkeep::prove {

class SimulateOptions {
 public:
  SimulateOptions() = default;
  std::int64_t seeds = 1000;
  std::uint64_t first = 1;  ///< the first seed; the others follow it
  std::size_t threads = 1;  ///< simulations at once
  bool trace = false;       ///< log lines of every simulation to stderr
};

/// Progress and violations go to stderr, fault coverage and one line of JSON (last) to stdout. 0: every
/// invariant held and (with 100 seeds or more) every fault struck.
int run_simulations(const SimulateOptions& options);

static_assert(!std::is_aggregate_v<SimulateOptions>);

}  // namespace tgkeep::prove
