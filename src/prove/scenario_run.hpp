#pragma once
// A scenario on a store with files, and the look at what is left of it.

#include <atomic>
#include <functional>
#include <string>
#include <tgkeep/error.hpp>

#include "prove/scenario.hpp"

namespace tgkeep::prove {

/// Runs all steps on a store in `folder`, on the VFS of this name ("": the machine's), and closes it.
/// `acknowledged` counts the steps that returned. `before_close`: called when all are done.
Result<void> run_scenario(
    const Scenario& scenario, const std::string& folder, const std::string& vfs,
    std::atomic<std::int64_t>& acknowledged, const std::function<void()>& before_close = [] {});

/// A store whose files are older than what it has acknowledged must not be opened, and one on a disk with
/// less room than its reserve takes nothing new, but settles what it has. What is wrong, in words; empty:
/// nothing.
std::string check_rollback(const Scenario& scenario, const std::string& folder);
std::string check_reserve(const Scenario& scenario, const std::string& folder);

/// What a look at a store found.
class Finding {
 public:
  Finding() = default;
  bool opened = false;
  std::string error;       ///< why it was not opened
  std::string difference;  ///< "": it holds what is expected after one of the allowed numbers of steps
  std::size_t steps = 0;   ///< that number
};

/// Opens the store and compares it with what it must hold after `low` to `high` steps, whichever fits.
Finding examine(const Scenario& scenario, const std::string& folder, std::size_t low, std::size_t high);

}  // namespace tgkeep::prove
