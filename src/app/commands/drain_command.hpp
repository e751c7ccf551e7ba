#pragma once
// `tgkeep drain`: receive nothing more, hand over what is stored.

#include <string>

#include "app/ask/reach.hpp"
#include "app/ask/session.hpp"
#include "app/commands/command.hpp"

namespace tgkeep::app {

class DrainCommand final : public Command {
 public:
  explicit DrainCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  int drain(Session& session);
  /// Whether the process has gone.
  bool stop(Session& session);

  ReachOptions options_;
  std::string wait_;
  bool then_stop_ = false;
  bool undo_ = false;
  CLI::App& drain_;
};

}  // namespace tgkeep::app
