#pragma once
// `tgkeep replay`: finished or dead updates once more.

#include <cstdint>
#include <vector>

#include "app/ask/reach.hpp"
#include "app/ask/session.hpp"
#include "app/commands/command.hpp"
#include "app/commands/find_options.hpp"

namespace tgkeep::app {

class ReplayCommand final : public Command {
 public:
  explicit ReplayCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  int begin(Session& session);
  int show(const Session& session, const json::value& job) const;

  ReachOptions options_;
  FindOptions find_;
  std::vector<std::string> states_{"done"};
  std::int64_t rate_ = 20;
  bool force_ = false;
  bool dry_run_ = false;
  bool no_wait_ = false;
  bool cancel_ = false;
  bool progress_ = false;
  CLI::App& replay_;
};

}  // namespace tgkeep::app
