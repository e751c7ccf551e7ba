#include "app/config.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "app/config_checks.hpp"
#include "app/config_file.hpp"
#include "app/settings.hpp"
#include "words/nearest.hpp"

namespace tgkeep::app {

namespace {

// Variables of ours that are no settings, besides those that settings name.
const std::set<std::string, std::less<>> kOtherVariables{"TGKEEP_CONFIG",         "TGKEEP_TOKEN",
                                                         "TGKEEP_WEBHOOK_SECRET", "TGKEEP_PUSH_SECRET",
                                                         "TGKEEP_ADMIN_TOKEN",    "TGKEEP_ADMIN"};

constexpr const char* kManyBots =
    "\n# Several bots in one process: a table for each. What a bot does not say is as above (for all of "
    "them).\n"
    "# [[bot]]\n# name = \"shop\"\n# token_env = \"SHOP_TOKEN\"\n# source = \"webhook\"\n"
    "# webhook.path = \"/shop\"\n# webhook.secret_env = \"SHOP_WEBHOOK_SECRET\"\n# handler = \"push\"\n"
    "# push.url = \"http://127.0.0.1:3000/\"\n";

const Setting* find(const std::vector<Setting>& table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [key](const Setting& setting) { return setting.key == key; });
  return found == table.end() ? nullptr : &*found;
}

std::string unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const std::string guess = words::nearest(name, known);
  std::string text = "unknown " + std::string(what) + " " + std::string(name);
  if (!guess.empty()) return text + ": did you mean " + guess + "?";
  return text + ": `tgkeep config defaults` lists all settings";
}

bool is_secret_key(std::string_view key) {
  return key == "token" || key.ends_with(".token") || key.ends_with(".secret") || key == "secret" ||
         key.ends_with(".secrets");
}

std::vector<std::string> keys_of(const std::vector<Setting>& table) {
  std::vector<std::string> keys;
  for (const Setting& setting : table) keys.push_back(setting.key);
  return keys;
}

/// What is wrong with one assignment, or "". `elsewhere` are settings that may stand at another place only.
std::string apply_entry(const FileEntry& entry, const std::vector<Setting>& table,
                        const std::vector<Setting>& elsewhere) {
  if (is_secret_key(entry.key)) {
    const std::string setting =
        entry.key.ends_with("token") && entry.key != "admin.token" ? "token" : entry.key;
    return "a token or secret does not belong into this file, which gets copied and shown: put it into a "
           "variable (" +
           setting + "_env names it; for one bot TGKEEP_TOKEN), or into a file of its own that " + setting +
           "_file names";
  }
  const Setting* setting = find(table, entry.key);
  if (setting == nullptr && find(elsewhere, entry.key) != nullptr) {
    return entry.key + ": belongs to the whole process, not to one bot: move it above the first [[bot]]";
  }
  if (setting == nullptr) return unknown("setting", entry.key, keys_of(table));
  if (!entry.usable) return entry.key + ": no setting takes such a value; see `tgkeep config defaults`";
  const std::string wrong = setting->set(entry.text);
  return wrong.empty() ? "" : entry.key + ": " + wrong;
}

std::string place(const std::string& path, std::uint32_t line) {
  return path + ":" + std::to_string(line) + ": ";
}

void apply_file(const std::string& path, const ConfigFile& file, Config& config,
                std::vector<std::string>& problems) {
  const std::vector<Setting> table = settings_of(config);
  for (const FileEntry& entry : file.entries) {
    if (entry.bot) continue;
    std::string problem;
    if (entry.key == "name") {
      problem = "name: names one of several bots: move it into its [[bot]]";
    } else {
      problem = apply_entry(entry, table, {});
    }
    if (!problem.empty()) problems.push_back(place(path, entry.line) + problem);
  }
}

/// What several bots have in common, without what only one can have.
BotConfig common_part(const BotConfig& top) {
  BotConfig bot = top;
  bot.token_env.clear();
  bot.token_file.clear();
  bot.own_folder = false;
  return bot;
}

/// The [[bot]] tables, on top of what `config.bot` is by now.
void apply_bots(const std::string& path, const ConfigFile& file, Config& config,
                std::vector<std::string>& problems) {
  const std::vector<Setting> of_process = process_settings_of(config);
  std::set<std::string> names;
  for (std::size_t index = 0; index < file.bots.size(); ++index) {
    BotConfig& bot = config.bots.emplace_back(common_part(config.bot));
    std::vector<Setting> table = bot_settings_of(bot);
    table.push_back(Setting(
        "name", "",
        [&bot](std::string_view text) {
          bot.name = text;
          return std::string();
        },
        [] { return std::nullopt; }));
    for (const FileEntry& entry : file.entries) {
      if (entry.bot != index) continue;
      if (entry.key == "folder") bot.own_folder = true;
      const std::string problem = apply_entry(entry, table, of_process);
      if (!problem.empty()) problems.push_back(place(path, entry.line) + problem);
    }
    const std::string where = place(path, file.bots[index]);
    if (bot.name.empty()) {
      problems.push_back(where + "[[bot]] has no name: give it one, such as name = \"shop\"");
    } else if (!names.insert(bot.name).second) {
      problems.push_back(where + "there is another [[bot]] named " + bot.name + ": rename one");
    }
    if (bot.token_env.empty() && bot.token_file.empty()) {
      problems.push_back(where + "[[bot]] " + bot.name +
                         " has no token: name its variable with token_env or its file with token_file");
    }
  }
}

/// Variables that the file says to read secrets from.
std::set<std::string> named_variables(const ConfigFile& file) {
  std::set<std::string> names;
  for (const FileEntry& entry : file.entries) {
    if (entry.key.ends_with("_env")) names.insert(entry.text);
  }
  return names;
}

void apply_environment(const std::map<std::string, std::string>& environment,
                       const std::set<std::string>& known, const std::vector<Setting>& table,
                       std::vector<std::string>& problems) {
  std::vector<std::string> names;
  for (const Setting& setting : table) names.push_back(setting.variable());
  for (const auto& [name, text] : environment) {
    if (!name.starts_with("TGKEEP_") || text.empty() || kOtherVariables.contains(name)) continue;
    if (known.contains(name)) continue;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      // Others may use our prefix for purposes of their own; only a slip of the pen is an error.
      if (!words::nearest(name, names).empty())
        problems.push_back("environment: " + unknown("variable", name, names));
      continue;
    }
    const Setting& setting = table[static_cast<std::size_t>(found - names.begin())];
    const std::string wrong = setting.set(text);
    if (!wrong.empty()) problems.push_back("environment: " + name + ": " + wrong);
  }
}

void apply_flags(const std::vector<std::pair<std::string, std::string>>& flags,
                 const std::vector<Setting>& table, std::vector<std::string>& problems) {
  for (const auto& [key, text] : flags) {
    const Setting* setting = find(table, key);
    if (setting == nullptr) continue;
    const std::string wrong = setting->set(text);
    if (!wrong.empty()) problems.push_back(setting->flag() + ": " + wrong);
  }
}

}  // namespace

std::vector<BotConfig> Config::all_bots() const {
  return bots.empty() ? std::vector<BotConfig>{bot} : bots;
}

LoadedConfig load_config(const ConfigSources& sources) {
  LoadedConfig loaded;
  Config& config = loaded.config;
  config.sources = sources;
  ConfigFile file;
  if (!sources.file.empty()) {
    Result<ConfigFile> contents = read_config_file(sources.file);
    if (contents.has_value()) {
      file = std::move(*contents);
    } else {
      loaded.problems.push_back(contents.error().text());
    }
  }
  apply_file(sources.file, file, config, loaded.problems);
  const std::vector<Setting> table = settings_of(config);
  apply_environment(sources.environment, named_variables(file), table, loaded.problems);
  apply_flags(sources.flags, table, loaded.problems);
  apply_bots(sources.file, file, config, loaded.problems);
  if (loaded.problems.empty()) loaded.problems = check_together(config);
  return loaded;
}

std::string default_config_file() {
  Config defaults;
  std::string text =
      "# Every setting of tgkeep at its default. Each can also be given as a variable (poll.timeout is\n"
      "# TGKEEP_POLL_TIMEOUT) or as a flag of `tgkeep serve` (--poll-timeout); flags win over variables, "
      "variables over\n"
      "# this file. Tokens and secrets are no settings: they come from variables or from files of their "
      "own.\n";
  std::string section;
  for (const Setting& setting : settings_of(defaults)) {
    if (setting.section() != section) {
      section = setting.section();
      text += "\n[" + section + "]\n";
    }
    const auto value = setting.show();
    text += "\n# " + setting.help + "\n";
    text += value ? setting.name() + " = " + *value + "\n" : "# " + setting.name() + " = []\n";
  }
  return text + kManyBots;
}

std::map<std::string, std::string> process_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view pair(*entry);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos) variables.emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return variables;
}

}  // namespace tgkeep::app
