#pragma once
// `tgkeep dead ls|show|retry|drop`.

#include <cstdint>
#include <vector>

#include "app/ask/reach.hpp"
#include "app/commands/command.hpp"
#include "app/commands/find_options.hpp"

namespace tgkeep::app {

class DeadCommands final : public Command {
 public:
  explicit DeadCommands(CLI::App& app);
  std::optional<int> run() override;

 private:
  int change(bool drop);

  ReachOptions options_;
  FindOptions find_;
  std::int64_t limit_ = 100;
  std::int64_t after_ = 0;
  bool newest_ = false;
  bool all_ = false;
  bool yes_ = false;
  std::vector<std::int64_t> seqs_;
  CLI::App& dead_;
  CLI::App* ls_ = nullptr;
  CLI::App* show_ = nullptr;
  CLI::App* retry_ = nullptr;
  CLI::App* drop_ = nullptr;
};

}  // namespace tgkeep::app
