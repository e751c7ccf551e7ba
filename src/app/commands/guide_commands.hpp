#pragma once
// `tgkeep completion` and `tgkeep man`: for packages and for shells; hidden from the list of commands.

#include <CLI/CLI.hpp>
#include <string>

#include "app/commands/command.hpp"

namespace tgkeep::app {

class GuideCommands final : public Command {
 public:
  explicit GuideCommands(CLI::App& app);
  std::optional<int> run() override;

 private:
  CLI::App& app_;
  std::string shell_;
  CLI::App& completion_;
  CLI::App& man_;
};

}  // namespace tgkeep::app
