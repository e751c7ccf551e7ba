#include "app/config.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "app/config_file.hpp"
#include "app/nearest.hpp"
#include "app/settings.hpp"

namespace tgkeep::app {

namespace {

// Variables of ours that are no settings.
const std::set<std::string, std::less<>> kOtherVariables{"TGKEEP_TOKEN", "TGKEEP_CONFIG"};

const Setting* find(const std::vector<Setting>& table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [key](const Setting& setting) { return setting.key == key; });
  return found == table.end() ? nullptr : &*found;
}

std::string unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const std::string guess = nearest(name, known);
  std::string text = "unknown " + std::string(what) + " " + std::string(name);
  if (!guess.empty()) return text + ": did you mean " + guess + "?";
  return text + ": `tgkeep config defaults` lists all settings";
}

bool is_token_key(std::string_view key) {
  return key == "token" || key.ends_with(".token");
}

void apply_file(const std::string& path, const std::vector<Setting>& table,
                std::vector<std::string>& problems) {
  const Result<std::vector<FileEntry>> entries = read_config_file(path);
  if (entries.has_error()) {
    problems.push_back(entries.error().text());
    return;
  }
  std::vector<std::string> keys;
  for (const Setting& setting : table) keys.push_back(setting.key);
  for (const FileEntry& entry : *entries) {
    const std::string where = path + ":" + std::to_string(entry.line) + ": ";
    const Setting* setting = find(table, entry.key);
    std::string problem;
    if (is_token_key(entry.key)) {
      problem =
          "a token does not belong into this file, which gets copied and shown: put it into TGKEEP_TOKEN, or "
          "into a file of its own that token_file names";
    } else if (setting == nullptr) {
      problem = unknown("setting", entry.key, keys);
    } else if (!entry.usable) {
      problem = entry.key + ": no setting takes such a value; see `tgkeep config defaults`";
    } else if (std::string wrong = setting->set(entry.text); !wrong.empty()) {
      problem = entry.key + ": " + wrong;
    }
    if (!problem.empty()) problems.push_back(where + problem);
  }
}

void apply_environment(const std::map<std::string, std::string>& environment,
                       const std::vector<Setting>& table, std::vector<std::string>& problems) {
  std::vector<std::string> names;
  for (const Setting& setting : table) names.push_back(setting.variable());
  for (const auto& [name, text] : environment) {
    if (!name.starts_with("TGKEEP_") || text.empty() || kOtherVariables.contains(name)) continue;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      // Others may use our prefix for purposes of their own; only a slip of the pen is an error.
      if (!nearest(name, names).empty())
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

void check_together(const Config& config, std::vector<std::string>& problems) {
  const GatewayOptions& gateway = config.gateway;
  const std::string& root = gateway.api_root;
  if ((!root.starts_with("http://") && !root.starts_with("https://")) || root.ends_with('/')) {
    problems.push_back("api_root: write it as https://host or http://host:port, without a slash at the end");
  }
  if (gateway.folder.empty() && !gateway.in_memory) {
    problems.push_back(
        "folder: name a folder for the queues, or set in_memory = true to forget them at exit");
  }
  for (const auto& [name, runner] :
       {std::pair("inbox", gateway.inbox), std::pair("outbox", gateway.outbox)}) {
    if (runner.first_delay > runner.max_delay) {
      problems.push_back(std::string(name) + ".first_delay is longer than " + name + ".max_delay: lower it");
    }
  }
}

std::string trimmed(std::string text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.erase(text.find_last_not_of(kSpace) + 1);
  text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

}  // namespace

LoadedConfig load_config(const ConfigSources& sources) {
  LoadedConfig loaded;
  const std::vector<Setting> table = settings_of(loaded.config);
  if (!sources.file.empty()) apply_file(sources.file, table, loaded.problems);
  apply_environment(sources.environment, table, loaded.problems);
  apply_flags(sources.flags, table, loaded.problems);
  if (loaded.problems.empty()) check_together(loaded.config, loaded.problems);
  return loaded;
}

Result<std::string> read_token(const Config& config, const std::map<std::string, std::string>& environment) {
  const auto variable = environment.find("TGKEEP_TOKEN");
  if (variable != environment.end() && !variable->second.empty()) return trimmed(variable->second);
  if (config.token_file.empty()) {
    return Error(
        Errc::bad_config,
        "no bot token: put the one from @BotFather into the variable TGKEEP_TOKEN, or into a file and name "
        "that with token_file");
  }
  std::ifstream file(config.token_file);
  std::string token = trimmed({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  if (token.empty()) {
    return Error(Errc::bad_config,
                 "token_file: " + config.token_file +
                     " can't be read or is empty; it must hold the bot's token and nothing else");
  }
  return token;
}

std::string default_config_file() {
  Config defaults;
  std::string text =
      "# Every setting of tgkeep at its default. Each can also be given as a variable (poll.timeout is\n"
      "# TGKEEP_POLL_TIMEOUT) or as a flag of `tgkeep serve` (--poll-timeout); flags win over variables, "
      "variables over\n"
      "# this file. The bot's token is no setting: it comes from TGKEEP_TOKEN or from token_file.\n";
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
  return text;
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
