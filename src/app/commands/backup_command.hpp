#pragma once
// `tgkeep backup`.

#include <string>

#include "app/ask/reach.hpp"
#include "app/ask/session.hpp"
#include "app/commands/command.hpp"

namespace tgkeep::app {

class BackupCommand final : public Command {
 public:
  explicit BackupCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  void back_up(Session& session, const std::string& bot, const std::string& folder, std::uint64_t size);

  ReachOptions options_;
  std::string folder_;
  CLI::App& backup_;
};

}  // namespace tgkeep::app
