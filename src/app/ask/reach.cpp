#include "app/ask/reach.hpp"

#include <filesystem>
#include <tgkeep/api_client.hpp>

#include "app/admin_settings.hpp"
#include "app/ask/files_caller.hpp"
#include "app/ask/http_caller.hpp"
#include "app/ask/right_user.hpp"
#include "app/bot_secrets.hpp"
#include "app/commands/command_end.hpp"
#include "app/config_checks.hpp"
#include "app/settings.hpp"
#include "app/wiring.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

Exit exit_of(Errc code) {
  switch (code) {
    case Errc::store_locked:
      return Exit::refused;
    case Errc::bad_config:
      return Exit::wrong;
    default:
      return Exit::failed;
  }
}

using Flags = std::vector<std::pair<std::string, std::string>>;

void add_setting(CLI::App& command, Flags& flags, const std::string& key, const char* value) {
  static Config defaults;
  static const std::vector<Setting> table = settings_of(defaults);
  for (const Setting& setting : table) {
    if (setting.key != key) continue;
    const auto take = [&flags, key](const std::string& text) { flags.emplace_back(key, text); };
    command.add_option_function<std::string>(setting.flag(), take, setting.help)->type_name(value);
  }
}

/// What the configuration tells about a bot whose process is down.
StoredFacts stored_facts(const BotConfig& bot, const std::map<std::string, std::string>& environment) {
  const Result<std::string> folder = folder_of(bot, environment);
  if (folder.has_error()) {
    const std::string whose = bot.name.empty() ? "" : "bot " + bot.name + ": ";
    throw CommandEnd(exit_of(folder.error().code()), whose + folder.error().text());
  }
  BotOptions options = options_of(bot);
  options.folder = *folder;
  admin::BotFacts facts = facts_of(BotId(), options);
  const Result<std::string> token = read_token(bot, environment);
  if (token.has_value()) {
    ApiOptions api(*token);
    api.test_environment = bot.options.test_environment;
    const Result<BotId> id = bot_of(api);
    if (id.has_value()) facts.id = *id;
  }
  return StoredFacts(std::move(facts), sqlite_options(options));
}

std::vector<StoredFacts> stored_bots(const Config& config) {
  const auto environment = process_environment();
  std::vector<StoredFacts> stored;
  std::string missing;
  for (const BotConfig& bot : config.all_bots()) {
    if (bot.options.in_memory) {
      missing = "the queues are in memory (in_memory = true) and went with their process";
      continue;
    }
    StoredFacts facts = stored_facts(bot, environment);
    std::error_code ignored;
    if (std::filesystem::is_directory(facts.facts.folder, ignored)) {
      stored.push_back(std::move(facts));
      continue;
    }
    missing = "there is no folder " + facts.facts.folder +
              "; name the bot's with --folder or TGKEEP_FOLDER, or the configuration with --config";
  }
  if (stored.empty()) throw CommandEnd(Exit::not_found, missing);
  return stored;
}

Reached over_tcp(const ReachOptions& options) {
  const Config config = load(options.config_file, options.flags);
  std::string url = options.admin_url;
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    throw CommandEnd(Exit::wrong,
                     "--admin: " + url +
                         " is no URL: write the address of a running tgkeep's admin.listen, such "
                         "as http://127.0.0.1:9480");
  }
  while (url.ends_with('/')) url.pop_back();
  const Result<std::string> token =
      read_secret(config.admin.token_env, config.admin.token_file, "admin.token_file", process_environment());
  if (token.has_error()) throw CommandEnd(Exit::wrong, token.error().text());
  if (token->empty()) {
    throw CommandEnd(
        Exit::wrong,
        "--admin needs the token of that process's admin.listen: put it into TGKEEP_ADMIN_TOKEN, "
        "or into a file named by --admin-token-file");
  }
  return Reached(tcp_caller(std::move(url), *token), true);
}

}  // namespace

void add_config(CLI::App& command, std::string& config_file,
                std::vector<std::pair<std::string, std::string>>& flags) {
  command.add_option("-c,--config", config_file, "A TOML file with settings (see `tgkeep config defaults`)")
      ->envname("TGKEEP_CONFIG")
      ->type_name("FILE");
  add_setting(command, flags, "folder", "FOLDER");
}

void add_reach(CLI::App& command, ReachOptions& options, bool bot) {
  add_config(command, options.config_file, options.flags);
  add_setting(command, options.flags, "admin.socket", "FILE");
  add_setting(command, options.flags, "admin.token_file", "FILE");
  command
      .add_option("--admin", options.admin_url,
                  "Ask a tgkeep elsewhere, at its admin.listen: http://HOST:PORT. Its token comes from "
                  "TGKEEP_ADMIN_TOKEN or --admin-token-file")
      ->envname("TGKEEP_ADMIN")
      ->type_name("URL");
  if (bot) {
    command.add_option("--bot", options.bot, "Which of several bots, by its name or id")->type_name("BOT");
  }
  command.add_flag("--json", options.json, "Print answers as docs/admin_api.md describes them, a line each");
}

Config load(const std::string& config_file, const std::vector<std::pair<std::string, std::string>>& flags) {
  ConfigSources sources;
  sources.file = config_file;
  sources.environment = process_environment();
  sources.flags = flags;
  LoadedConfig loaded = load_config(sources);
  if (loaded.problems.empty()) return std::move(loaded.config);
  throw CommandEnd(Exit::wrong, words::joined(loaded.problems, "\n"));
}

std::vector<std::string> stored_folders(const Config& config, const std::string& bot) {
  std::vector<std::string> folders;
  for (const StoredFacts& stored : stored_bots(config)) {
    const bool meant =
        bot.empty() || stored.facts.name == bot || std::to_string(stored.facts.id.value()) == bot;
    if (meant) folders.push_back(stored.facts.folder);
  }
  if (folders.empty()) throw CommandEnd(Exit::not_found, "--bot: there is no bot " + bot + " with a store");
  return folders;
}

Reached reach(const ReachOptions& options, Need need) {
  if (!options.admin_url.empty()) return over_tcp(options);
  const Config config = load(options.config_file, options.flags);
  const std::string socket = admin_socket(config);
  const SocketState state = socket.empty() ? SocketState::nobody : look_at_socket(socket);
  if (state == SocketState::answers) return Reached(socket_caller(socket), true);
  if (state == SocketState::forbidden) {
    throw CommandEnd(Exit::refused, "the socket of the running tgkeep, " + socket +
                                        ", may only be opened by the user it runs as: run this as that user, "
                                        "such as with sudo");
  }
  if (need == Need::process) {
    const std::string where = socket.empty() ? "admin.socket is off" : "nobody answers at " + socket;
    throw CommandEnd(Exit::refused,
                     "this needs a running tgkeep, and " + where +
                         ": start it with `tgkeep serve`, or name the folder of the one that runs with "
                         "--folder or --config");
  }
  const Access access = need == Need::changing ? Access::own : Access::read;
  std::vector<StoredFacts> bots = stored_bots(config);
  for (const StoredFacts& bot : bots) {
    if (access == Access::own) refuse_foreign_root(bot.facts.folder);
  }
  Result<std::unique_ptr<Caller>> files = files_caller(std::move(bots), access);
  if (files.has_value()) return Reached(std::move(*files), false);
  std::string text = files.error().text();
  if (files.error().code() == Errc::store_locked) {
    text += socket.empty() ? "; its admin.socket is off, so it can't be asked"
                           : "; it does not answer at " + socket + ", where this command looks for it";
  }
  throw CommandEnd(exit_of(files.error().code()), std::move(text));
}

}  // namespace tgkeep::app
