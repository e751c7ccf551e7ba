#pragma once
// `tgkeep pause` and `tgkeep resume`.

#include <string>

#include "app/ask/reach.hpp"
#include "app/commands/command.hpp"

namespace tgkeep::app {

class PauseCommands final : public Command {
 public:
  explicit PauseCommands(CLI::App& app);
  std::optional<int> run() override;

 private:
  ReachOptions options_;
  std::string queue_;
  std::string target_;
  bool all_bots_ = false;
  CLI::App& pause_;
  CLI::App& resume_;
};

}  // namespace tgkeep::app
