#pragma once
// `tgkeep prove`, and the hidden commands by which it starts what it kills.

#include <CLI/CLI.hpp>
#include <optional>

#include "prove/simulate.hpp"

namespace tgkeep::app {

/// Adds the commands to `app`, which must outlive it.
class ProveCommands {
 public:
  explicit ProveCommands(CLI::App& app);
  ProveCommands(const ProveCommands&) = delete;
  ProveCommands& operator=(const ProveCommands&) = delete;
  /// After parsing: the exit code, if one of them was given.
  std::optional<int> run() const;

 private:
  CLI::App& prove_;
  bool sim_ = false;
  std::uint64_t seed_ = 1;
  prove::SimulateOptions sim_options_;
};

}  // namespace tgkeep::app
