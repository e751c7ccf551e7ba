#pragma once
// The program's commands and options as plain words: what completions and the man page are made from.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace tgkeep::app {

enum class ValueKind : std::uint8_t { none, text, choice, file, folder };

class GuideOption {
 public:
  GuideOption() = default;
  std::vector<std::string> names;  ///< with their dashes, short ones first; empty: a positional
  std::string value;               ///< what it takes, such as FILE; "" for a flag
  ValueKind kind = ValueKind::none;
  std::vector<std::string> choices;
  std::string help;
  std::string environment;  ///< the variable that stands for it
  std::string by_default;
  bool required = false;
  bool repeated = false;
};

class GuideCommand {
 public:
  GuideCommand() = default;
  std::string name;
  std::vector<std::string> aliases;
  std::string help;
  std::string footer;
  std::vector<GuideOption> options;
  std::vector<GuideOption> positionals;
  std::vector<GuideCommand> below;
};

/// Without what is hidden.
GuideCommand read_tree(const CLI::App& app);

/// Completion scripts; to be put where the shell looks, or sourced.
std::string bash_completion(const GuideCommand& program);
std::string zsh_completion(const GuideCommand& program);
std::string fish_completion(const GuideCommand& program);

/// A man page of section 1.
std::string man_page(const GuideCommand& program, const std::string& version);

}  // namespace tgkeep::app
