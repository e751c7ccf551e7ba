#pragma once
// `tgkeep restore` and `tgkeep check`: work on folders, without a process.

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.hpp"

namespace tgkeep::app {

class FileCommands final : public Command {
 public:
  explicit FileCommands(CLI::App& app);
  std::optional<int> run() override;

 private:
  int restore() const;
  int check() const;

  std::string config_file_;
  std::vector<std::pair<std::string, std::string>> flags_;
  std::string bot_;
  std::string backup_;
  std::string to_;
  std::string folder_;
  bool json_ = false;
  CLI::App& restore_;
  CLI::App& check_;
};

}  // namespace tgkeep::app
