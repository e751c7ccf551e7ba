#pragma once
// `tgkeep demo`, and the hidden command by which it starts the bot that it kills.

#include <CLI/CLI.hpp>
#include <optional>

#include "app/commands/command.hpp"
#include "demo/demo.hpp"
#include "demo/pipeline.hpp"

namespace tgkeep::app {

/// Adds both commands to `app`, which must outlive it.
class DemoCommands final : public Command {
 public:
  explicit DemoCommands(CLI::App& app);
  /// After parsing: the exit code, if one of the two was given.
  std::optional<int> run() override;

 private:
  CLI::App& demo_;
  CLI::App& pipeline_;
  demo::DemoOptions demo_options_;
  demo::DemoPipelineOptions pipeline_options_;
};

}  // namespace tgkeep::app
