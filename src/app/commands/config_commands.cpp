#include "app/commands/config_commands.hpp"

#include <boost/json.hpp>
#include <cstdio>

#include "app/ask/session.hpp"
#include "app/commands/command_end.hpp"
#include "app/config.hpp"
#include "app/display/safe_text.hpp"
#include "app/start_checks.hpp"

namespace tgkeep::app {

namespace {

int check(const std::string& file, bool as_json) {
  ConfigSources sources;
  sources.file = file;
  sources.environment = process_environment();
  LoadedConfig loaded = load_config(sources);
  std::vector<std::string> notes;
  if (loaded.problems.empty()) {
    const StartChecks start(loaded.config, sources.environment);
    for (const StartProblem& problem : start.wrong) loaded.problems.push_back(problem.text);
    for (const StartProblem& secret : start.missing) notes.push_back(secret.text);
  }
  if (as_json) {
    json::object answer;
    json::array problems;
    for (const std::string& problem : loaded.problems) problems.emplace_back(safe_text(problem));
    answer["fine"] = loaded.problems.empty();
    answer["problems"] = std::move(problems);
    json::array told;
    for (const std::string& note : notes) told.emplace_back(safe_text(note));
    answer["notes"] = std::move(told);
    print_json(json::serialize(answer));
  } else if (loaded.problems.empty()) {
    std::puts("The configuration is fine.");
    for (const std::string& note : notes) {
      std::printf("Not here, but needed where it runs: %s\n", safe_text(note).c_str());
    }
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
  check_->add_flag("--json", json_, "Print {\"fine\", \"problems\", \"notes\"}");
}

std::optional<int> ConfigCommands::run() {
  if (!config_.parsed()) return std::nullopt;
  if (check_->parsed()) return check(config_file_, json_);
  return std::fputs(default_config_file().c_str(), stdout) < 0 ? code_of(Exit::failed) : code_of(Exit::done);
}

}  // namespace tgkeep::app
