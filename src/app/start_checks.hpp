#pragma once
// What a start refuses beyond the settings themselves: secrets that are missing or malformed, and files that
// can't be read.

#include <map>
#include <string>
#include <tgkeep/error.hpp>
#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// One thing that keeps `tgkeep serve` from starting.
class StartProblem {
 public:
  StartProblem(std::string what, std::string text) : what(std::move(what)), text(std::move(text)) {}
  std::string what;  ///< "token", "webhook secret", "push secret", "admin token", "[face]", "[listen]", …
  std::string text;  ///< a sentence with the bot's name, never with a secret
};

/// All of them, of a configuration that `load_config` finds nothing wrong with. Looks at files.
class StartChecks {
 public:
  StartChecks(const Config& config, const std::map<std::string, std::string>& environment);
  std::vector<StartProblem> wrong;
  /// Secrets that nothing holds here: they come from where the process runs.
  std::vector<StartProblem> missing;

 private:
  void check_secrets(const BotConfig& bot);
  void check_files(const BotConfig& bot);
  void check_admin_token();
  void check_tls();
  void judge(const char* what, const BotConfig& bot, const Result<std::string>& held, const Error& error);

  const Config& config_;
  const std::map<std::string, std::string>& environment_;
};

}  // namespace tgkeep::app
