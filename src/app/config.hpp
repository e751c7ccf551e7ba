#pragma once
// The program's configuration: defaults, then a TOML file, then TGKEEP_* variables, then flags.

#include <cstdint>
#include <map>
#include <string>
#include <tgkeep/gateway.hpp>
#include <tgkeep/log.hpp>
#include <utility>
#include <vector>

namespace tgkeep::app {

enum class SourceKind : std::uint8_t { poll, webhook };
enum class HandlerKind : std::uint8_t { echo, log, push, pull };

/// What the configuration says about one bot. Token and secrets are read apart (bot_secrets.hpp).
class BotConfig {
 public:
  BotConfig() : options("") {}
  std::string name;        ///< of a [[bot]]; "" for the one bot of a file without such tables
  BotOptions options;      ///< without token, webhook, push, pull and handler
  bool own_folder = true;  ///< false: in a folder of `options.folder`, named by the bot's id
  std::string token_env = "TGKEEP_TOKEN";
  std::string token_file;
  SourceKind source = SourceKind::poll;
  HandlerKind handler = HandlerKind::echo;
  WebhookSettings webhook;  ///< without secrets
  std::string webhook_secret_env = "TGKEEP_WEBHOOK_SECRET";
  std::string webhook_secret_file;
  PushSettings push;  ///< without secret
  std::string push_secret_env = "TGKEEP_PUSH_SECRET";
  std::string push_secret_file;
  PullSettings pull;
};

/// Where the running process is asked, as the file says it. What comes of it: admin_settings.hpp.
class AdminConfig {
 public:
  AdminConfig() = default;
  std::string socket;  ///< "": in the folder; "off": none
  std::string listen;  ///< address:port; "": no TCP
  std::string token_env = "TGKEEP_ADMIN_TOKEN";
  std::string token_file;
  std::vector<std::string> hosts;
  Duration max_age = AdminOptions().max_age;
};

/// Where bots reach the Bot API, as the file says it. What comes of it: face_settings.hpp.
class FaceConfig {
 public:
  FaceConfig() = default;
  std::string listen;  ///< address:port; "": as FaceOptions when a bot pulls, else none
  std::string certificate;
  std::string key;
  bool allow_plain = false;
  Duration max_wait = FaceOptions().max_wait;
  std::size_t max_waiting = FaceOptions().max_waiting;
  std::uint32_t bulk_rate = 25;
};

/// Where a configuration comes from, in rising precedence.
class ConfigSources {
 public:
  ConfigSources() = default;
  std::string file;                                        ///< "": none
  std::map<std::string, std::string> environment;          ///< all of it; only TGKEEP_… is looked at
  std::vector<std::pair<std::string, std::string>> flags;  ///< key and text
};

/// What the program runs with.
class Config {
 public:
  Config() = default;
  ProcessOptions process;  ///< without admin and face
  AdminConfig admin;
  FaceConfig face;
  BotConfig bot;                ///< the one bot, or what several have in common
  std::vector<BotConfig> bots;  ///< of [[bot]] tables, in their order
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::text;
  bool log_updates = true;
  ConfigSources sources;  ///< to read it again

  /// The bots to run: at least one.
  std::vector<BotConfig> all_bots() const;
};

/// A configuration, or everything that is wrong with it: one sentence each, with file, line, key and remedy.
class LoadedConfig {
 public:
  LoadedConfig() = default;
  Config config;
  std::vector<std::string> problems;
};

LoadedConfig load_config(const ConfigSources& sources);

/// One commented TOML file with every setting at its default.
std::string default_config_file();

/// This process's environment.
std::map<std::string, std::string> process_environment();

}  // namespace tgkeep::app
