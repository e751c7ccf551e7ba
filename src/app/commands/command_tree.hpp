#pragma once
// All commands of the program.

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "app/commands/command.hpp"

namespace tgkeep::app {

class CommandTree {
 public:
  CommandTree();
  CLI::App& app() { return app_; }
  /// After parsing: runs the command that was given. CommandEnd as commands throw it.
  int run();
  /// Whether --json was given.
  bool wants_json() const;

 private:
  CLI::App app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace tgkeep::app
