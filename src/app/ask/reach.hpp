#pragma once
// Who answers a command: the process that runs on this configuration, one elsewhere, or the files.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/ask/caller.hpp"

namespace CLI {
class App;
}

namespace tgkeep::app {

class Config;

/// What the arguments of such a command say about that.
class ReachOptions {
 public:
  ReachOptions() = default;
  std::string config_file;
  std::vector<std::pair<std::string, std::string>> flags;  ///< settings, as key and text
  std::string admin_url;                                   ///< "": this machine
  std::string bot;                                         ///< "": the only one
  bool json = false;
};

/// --config and --folder, and what they say: the file, and settings as key and text. They must outlive the
/// command.
void add_config(CLI::App& command, std::string& config_file,
                std::vector<std::pair<std::string, std::string>>& flags);

/// --config, --folder, --admin-socket, --admin, --admin-token-file and --json; with `bot` also --bot.
/// `options` must outlive the command.
void add_reach(CLI::App& command, ReachOptions& options, bool bot = true);

/// The configuration they name, with the environment; CommandEnd (2) with all that is wrong.
Config load(const std::string& config_file, const std::vector<std::pair<std::string, std::string>>& flags);

/// The folders of the bots that have one; only that of `bot`, if it is named. CommandEnd when there is none.
std::vector<std::string> stored_folders(const Config& config, const std::string& bot);

/// What a command needs.
enum class Need {
  reading,   ///< a running process, or files that can be read
  changing,  ///< a running process, or files that nobody owns: they are owned as long as the command runs
  process,   ///< a running process
};

class Reached {
 public:
  Reached(std::unique_ptr<Caller> caller, bool live) : caller(std::move(caller)), live(live) {}
  std::unique_ptr<Caller> caller;
  bool live;  ///< a process; else the files
};

/// CommandEnd when nobody can be reached, with what to do about it.
Reached reach(const ReachOptions& options, Need need);

}  // namespace tgkeep::app
