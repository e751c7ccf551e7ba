#pragma once
// `tgkeep config defaults` and `tgkeep config check`.

#include <CLI/CLI.hpp>
#include <string>

#include "app/commands/command.hpp"

namespace tgkeep::app {

class ConfigCommands final : public Command {
 public:
  explicit ConfigCommands(CLI::App& app);
  std::optional<int> run() override;

 private:
  std::string config_file_;
  bool json_ = false;
  CLI::App& config_;
  CLI::App* check_ = nullptr;
};

}  // namespace tgkeep::app
