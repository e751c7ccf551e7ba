#pragma once
// `tgkeep emulate`: the emulator, and requests to a running one.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/command.hpp"
#include "app/emulate.hpp"

namespace tgkeep::app {

/// Adds the command to `app`, which must outlive it.
class EmulateCommands final : public Command {
 public:
  explicit EmulateCommands(CLI::App& app);
  /// After parsing: the exit code, if it was given.
  std::optional<int> run() override;

 private:
  CLI::App& emulate_;
  EmulateOptions options_;
  std::string to_ = "http://127.0.0.1:8081";
  std::string request_;
  std::vector<std::string> arguments_;
};

}  // namespace tgkeep::app
