#pragma once
// `tgkeep serve`.

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.hpp"

namespace tgkeep::app {

class ServeCommand final : public Command {
 public:
  explicit ServeCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  std::string config_file_;
  std::vector<std::pair<std::string, std::string>> flags_;
  CLI::App& serve_;
};

}  // namespace tgkeep::app
