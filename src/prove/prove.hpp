#pragma once
// `tgkeep prove`: bots in processes of their own, tormented for minutes under one workload after the other.

#include <cstdint>
#include <string>
#include <type_traits>

namespace tgkeep::prove {

class ProveOptions {
 public:
  ProveOptions() = default;
  double minutes = 1;  ///< of torment, all workloads together
  std::uint64_t seed = 1;
  double time_scale = 20;  ///< how much faster than Telegram the emulated one waits between its attempts
  std::string workload;    ///< the only one; "" = all
  bool face = false;       ///< bots behind the face instead, which poll there and make their calls there
  /// Of stores and logs. Empty: a new temporary one, removed when all is well.
  std::string folder;
};

/// Progress goes to stderr, a table and one line of JSON (last) to stdout. 0 only when every promise was kept
/// and (all workloads, a minute or more) every nemesis struck; 1 when not, 2 for options that make no sense.
int run_prove(const ProveOptions& options);

static_assert(!std::is_aggregate_v<ProveOptions>);

}  // namespace tgkeep::prove
