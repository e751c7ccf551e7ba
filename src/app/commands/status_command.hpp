#pragma once
// `tgkeep status`.

#include "app/ask/reach.hpp"
#include "app/commands/command.hpp"

namespace tgkeep::app {

class StatusCommand final : public Command {
 public:
  explicit StatusCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  ReachOptions options_;
  CLI::App& status_;
};

}  // namespace tgkeep::app
