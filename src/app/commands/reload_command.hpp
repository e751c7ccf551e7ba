#pragma once
// `tgkeep reload`: the running process reads its configuration again.

#include "app/ask/reach.hpp"
#include "app/commands/command.hpp"

namespace tgkeep::app {

class ReloadCommand final : public Command {
 public:
  explicit ReloadCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  ReachOptions options_;
  CLI::App& reload_;
};

}  // namespace tgkeep::app
