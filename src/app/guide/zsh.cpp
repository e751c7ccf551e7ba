#include <algorithm>
#include <string>

#include "app/guide/tree.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

/// Inside single quotes, with what `_arguments` takes for its own escaped.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      safe += '\\';
      safe += c;
    } else {
      safe += c == '\n' ? ' ' : c;
    }
  }
  return safe;
}

std::string function_of(const std::string& path) {
  std::string name = "_tgkeep" + path;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
}

std::string action_of(const GuideOption& option) {
  switch (option.kind) {
    case ValueKind::choice:
      return "(" + words::joined(option.choices, " ") + ")";
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    default:
      return " ";
  }
}

std::string option_lines(const GuideOption& option) {
  std::string lines;
  for (const std::string& name : option.names) {
    lines += " \\\n    '";
    if (option.repeated) lines += "*";
    lines += name;
    if (option.kind != ValueKind::none) lines += name.starts_with("--") ? "=" : "+";
    lines += "[" + escaped(option.help) + "]";
    if (option.kind != ValueKind::none) lines += ":" + escaped(option.value) + ":" + action_of(option);
    lines += "'";
  }
  return lines;
}

void add(std::string& script, const GuideCommand& command, const std::string& path) {
  std::string lines;
  for (const GuideOption& option : command.options) lines += option_lines(option);
  script += function_of(path) + "() {\n";
  if (command.below.empty()) {
    for (const GuideOption& positional : command.positionals) {
      lines += " \\\n    '";
      lines += positional.repeated ? "*" : "";
      lines += ":" + escaped(positional.value) + ":" + action_of(positional) + "'";
    }
    script += "  _arguments" + lines + "\n}\n\n";
    return;
  }
  script += "  local state line curcontext=\"$curcontext\"\n  _arguments -C" + lines +
            " \\\n    '1: :->command' \\\n    '*:: :->rest'\n  case $state in\n    command)\n"
            "      local -a commands=(\n";
  for (const GuideCommand& below : command.below) {
    script += "        '" + below.name + ":" + escaped(below.help) + "'\n";
  }
  script += "      )\n      _describe command commands\n      ;;\n    rest)\n      case $line[1] in\n";
  for (const GuideCommand& below : command.below) {
    script += "        " + below.name;
    for (const std::string& alias : below.aliases) script += " | " + alias;
    script += ") " + function_of(path + "/" + below.name) + " ;;\n";
  }
  script += "      esac\n      ;;\n  esac\n}\n\n";
  for (const GuideCommand& below : command.below) add(script, below, path + "/" + below.name);
}

constexpr const char* kHead = R"(#compdef tgkeep
# Completion of tgkeep in zsh: put it into a folder of $fpath as _tgkeep, such as
# /usr/share/zsh/vendor-completions. Made by `tgkeep completion zsh`.

)";

constexpr const char* kTail = R"(if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _tgkeep "$@"
else
  compdef _tgkeep tgkeep
fi
)";

}  // namespace

std::string zsh_completion(const GuideCommand& program) {
  std::string script = kHead;
  add(script, program, "");
  return script + kTail;
}

}  // namespace tgkeep::app
