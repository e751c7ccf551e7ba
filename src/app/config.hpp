#pragma once
// The program's configuration: defaults, then a TOML file, then TGKEEP_* variables, then flags.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/gateway.hpp>
#include <tgkeep/log.hpp>
#include <utility>
#include <vector>

namespace tgkeep::app {

enum class BuiltIn : std::uint8_t { echo, log };

/// What the program runs with. The token is read apart (`read_token`), and never shown.
class Config {
 public:
  Config() : gateway("") {}
  GatewayOptions gateway;
  std::string token_file;
  BuiltIn handler = BuiltIn::echo;
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::text;
};

/// Where a configuration comes from, in rising precedence.
class ConfigSources {
 public:
  ConfigSources() = default;
  std::string file;                                        ///< "": none
  std::map<std::string, std::string> environment;          ///< all of it; only TGKEEP_… is looked at
  std::vector<std::pair<std::string, std::string>> flags;  ///< key and text
};

/// A configuration, or everything that is wrong with it: one sentence each, with file, line, key and remedy.
class LoadedConfig {
 public:
  LoadedConfig() = default;
  Config config;
  std::vector<std::string> problems;
};

LoadedConfig load_config(const ConfigSources& sources);

/// The token from TGKEEP_TOKEN or else the token file. bad_config says what to do, never what the token was.
Result<std::string> read_token(const Config& config, const std::map<std::string, std::string>& environment);

/// One commented TOML file with every setting at its default.
std::string default_config_file();

/// This process's environment.
std::map<std::string, std::string> process_environment();

}  // namespace tgkeep::app
