#pragma once
// `tgkeep prove --writes`: a process that dies at each single write of its store, one after the other; a
// machine that loses what was not synced, whole or torn; and flipped bits.

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace tgkeep::prove {

class WritePointsOptions {
 public:
  WritePointsOptions() = default;
  std::uint64_t seed = 1;
  std::size_t steps = 120;   ///< verbs of the scenario
  std::size_t images = 4;    ///< of the disk after a power cut, for each write
  std::size_t flips = 1000;  ///< bits flipped, one at a time
};

class WritePoints {
 public:
  WritePoints() = default;
  std::int64_t writes = 0;         ///< of the scenario: each was a point to die at
  std::int64_t deaths = 0;         ///< processes that died
  std::int64_t power_cuts = 0;     ///< images opened
  std::int64_t lost_unsynced = 0;  ///< images that lacked something
  std::int64_t flips = 0;
  std::int64_t flips_harmless = 0;  ///< nothing differed
  std::int64_t flips_refused = 0;   ///< the store was not opened, and the error says why
  std::int64_t flips_named = 0;     ///< opened; what is damaged was named
  /// Whether an update comes behind a gap is remembered without a checksum, and a bit flipped in the WAL of a
  /// day file cuts that short: what is lost then had been done.
  std::int64_t flips_unnoticed = 0;
  std::vector<std::string> problems;
};

/// Needs a process with one thread: it forks.
WritePoints prove_write_points(const WritePointsOptions& options, const std::string& folder);

/// The command: a table and one line of JSON (last) to stdout. 0 when nothing was wrong.
int run_write_points(const WritePointsOptions& options);

static_assert(!std::is_aggregate_v<WritePointsOptions> && !std::is_aggregate_v<WritePoints>);

}  // namespace tgkeep::prove
