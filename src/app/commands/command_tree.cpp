#include "app/commands/command_tree.hpp"

#include <string>

#include "app/commands/backup_command.hpp"
#include "app/commands/config_commands.hpp"
#include "app/commands/dead_commands.hpp"
#include "app/commands/demo_commands.hpp"
#include "app/commands/doctor_command.hpp"
#include "app/commands/drain_command.hpp"
#include "app/commands/emulate_commands.hpp"
#include "app/commands/erase_command.hpp"
#include "app/commands/exit_code.hpp"
#include "app/commands/file_commands.hpp"
#include "app/commands/find_commands.hpp"
#include "app/commands/guide_commands.hpp"
#include "app/commands/pause_commands.hpp"
#include "app/commands/prove_commands.hpp"
#include "app/commands/reload_command.hpp"
#include "app/commands/replay_command.hpp"
#include "app/commands/serve_command.hpp"
#include "app/commands/status_command.hpp"

namespace tgkeep::app {

namespace {

constexpr const char* kSecrets =
    "The bot's token comes from TGKEEP_TOKEN or from the file named by token_file, secrets likewise; never\n"
    "from an argument.";

std::string footer() {
  std::string text = "Exit codes:\n";
  for (const auto& [code, meaning] : kExitMeanings) {
    text += "  " + std::to_string(code_of(code)) + "  " + std::string(meaning) + "\n";
  }
  return text + kSecrets;
}

bool json_given(const CLI::App& command) {
  const CLI::Option* const json = command.get_option_no_throw("--json");
  if (json != nullptr && json->count() > 0) return true;
  for (const CLI::App* const below : command.get_subcommands()) {
    if (json_given(*below)) return true;
  }
  return false;
}

}  // namespace

CommandTree::CommandTree()
    : app_("tgkeep keeps every Telegram update until a bot is done with it.", "tgkeep") {
  app_.footer(footer());
  app_.set_version_flag("--version", "tgkeep " TGKEEP_VERSION);
  app_.require_subcommand(1);
  app_.fallthrough(false);
  commands_.push_back(std::make_unique<ServeCommand>(app_));
  commands_.push_back(std::make_unique<ConfigCommands>(app_));
  commands_.push_back(std::make_unique<StatusCommand>(app_));
  commands_.push_back(std::make_unique<FindCommands>(app_));
  commands_.push_back(std::make_unique<DeadCommands>(app_));
  commands_.push_back(std::make_unique<ReplayCommand>(app_));
  commands_.push_back(std::make_unique<PauseCommands>(app_));
  commands_.push_back(std::make_unique<DrainCommand>(app_));
  commands_.push_back(std::make_unique<ReloadCommand>(app_));
  commands_.push_back(std::make_unique<BackupCommand>(app_));
  commands_.push_back(std::make_unique<FileCommands>(app_));
  commands_.push_back(std::make_unique<EraseCommand>(app_));
  commands_.push_back(std::make_unique<DoctorCommand>(app_));
  commands_.push_back(std::make_unique<EmulateCommands>(app_));
  commands_.push_back(std::make_unique<DemoCommands>(app_));
  commands_.push_back(std::make_unique<ProveCommands>(app_));
  commands_.push_back(std::make_unique<GuideCommands>(app_));
}

int CommandTree::run() {
  for (const auto& command : commands_) {
    if (const std::optional<int> code = command->run()) return *code;
  }
  return code_of(Exit::wrong);
}

bool CommandTree::wants_json() const {
  return json_given(app_);
}

}  // namespace tgkeep::app
