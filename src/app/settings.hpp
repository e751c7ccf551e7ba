#pragma once
// The table of settings: one row drives the file, the variables, the flags and the commented defaults.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.hpp"

namespace tgkeep::app {

/// One setting, bound to a field of one Config.
class Setting {
 public:
  using Set = std::function<std::string(std::string_view text)>;
  using Show = std::function<std::optional<std::string>()>;
  Setting(std::string key, std::string help, Set set, Show show)
      : key(std::move(key)), help(std::move(help)), set(std::move(set)), show(std::move(show)) {}

  std::string key;  ///< "folder" or "poll.timeout"
  std::string help;
  Set set;    ///< takes the value as text; returns what is wrong with it, or ""
  Show show;  ///< the value as TOML; nothing: it is not set

  std::string variable() const;  ///< TGKEEP_POLL_TIMEOUT
  std::string flag() const;      ///< --poll-timeout
  std::string section() const;   ///< "poll", or "" for the top of the file
  std::string name() const;      ///< "timeout"
};

/// Every setting of the top of a file and its sections, in their order. `config` must outlive them.
std::vector<Setting> settings_of(Config& config);
/// Those of them that each of several bots may have for itself.
std::vector<Setting> bot_settings_of(BotConfig& bot);
/// The others.
std::vector<Setting> process_settings_of(Config& config);

}  // namespace tgkeep::app
