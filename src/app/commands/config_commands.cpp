#include "app/commands/config_commands.hpp"

#include <boost/json.hpp>
#include <cstdio>

#include "app/ask/session.hpp"
#include "app/commands/command_end.hpp"
#include "app/config.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

int check(const std::string& file, bool as_json) {
  ConfigSources sources;
  sources.file = file;
  sources.environment = process_environment();
  const LoadedConfig loaded = load_config(sources);
  if (as_json) {
    json::object answer;
    json::array problems;
    for (const std::string& problem : loaded.problems) problems.emplace_back(safe_text(problem));
    answer["fine"] = loaded.problems.empty();
    answer["problems"] = std::move(problems);
    print_json(json::serialize(answer));
  } else if (loaded.problems.empty()) {
    std::puts("The configuration is fine.");
  } else {
    for (const std::string& problem : loaded.problems) {
      std::fprintf(stderr, "tgkeep: %s\n", safe_text(problem).c_str());
    }
  }
  return code_of(loaded.problems.empty() ? Exit::done : Exit::wrong);
}

}  // namespace

ConfigCommands::ConfigCommands(CLI::App& app)
    : config_(*app.add_subcommand("config", "Show or check the configuration")) {
  config_.require_subcommand(1);
  config_.add_subcommand("defaults", "Print a file with all settings at their defaults");
  check_ = config_.add_subcommand("check", "Read a file and the TGKEEP_* variables, and say what is wrong");
  check_->add_option("-c,--config", config_file_, "A TOML file with settings (see `tgkeep config defaults`)")
      ->envname("TGKEEP_CONFIG")
      ->type_name("FILE");
  check_->add_flag("--json", json_, "Print {\"fine\", \"problems\"}");
}

std::optional<int> ConfigCommands::run() {
  if (!config_.parsed()) return std::nullopt;
  if (check_->parsed()) return check(config_file_, json_);
  return std::fputs(default_config_file().c_str(), stdout) < 0 ? code_of(Exit::failed) : code_of(Exit::done);
}

}  // namespace tgkeep::app
