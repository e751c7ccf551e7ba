#include <string>

#include "app/guide/tree.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

/// Lines of `case` for the whole tree. A path is `/dead/ls`.
class BashLines {
 public:
  explicit BashLines(const GuideCommand& program) { add(program, ""); }

  std::string steps;   ///< a word that leads to a deeper command
  std::string values;  ///< an option whose value is being written
  std::string skips;   ///< an option that has a value after it
  std::string words;   ///< what may be written at a place

 private:
  void add(const GuideCommand& command, const std::string& path) {
    std::string all;
    for (const GuideCommand& below : command.below) {
      const std::string deeper = path + "/" + below.name;
      steps += "      \"" + path + " " + below.name + "\"";
      for (const std::string& alias : below.aliases) steps += " | \"" + path + " " + alias + "\"";
      steps += ") path=" + deeper + " ;;\n";
      all += " " + below.name;
      add(below, deeper);
    }
    std::string paths;
    for (const GuideOption& positional : command.positionals) {
      for (const std::string& choice : positional.choices) all += " " + choice;
      if (positional.kind == ValueKind::file || positional.kind == ValueKind::folder) paths = " files=1";
    }
    for (const GuideOption& option : command.options) {
      for (const std::string& name : option.names) all += " " + name;
      if (option.kind != ValueKind::none) add_value(option, path);
    }
    words += "    \"" + path + "\") words=\"" + all.substr(all.empty() ? 0 : 1) + "\"" + paths + " ;;\n";
  }

  void add_value(const GuideOption& option, const std::string& path) {
    std::string pattern;
    for (const std::string& name : option.names) {
      pattern += (pattern.empty() ? "\"" : " | \"") + path + " " + name + "\"";
    }
    skips += "      " + pattern + ") skip=1 ;;\n";
    values += "    " + pattern + ") ";
    if (option.kind == ValueKind::choice) {
      values += "mapfile -t COMPREPLY < <(compgen -W \"" + words::joined(option.choices, " ") +
                "\" -- \"$cur\"); return ;;\n";
    } else if (option.kind == ValueKind::file) {
      values += "_tgkeep_files -f; return ;;\n";
    } else if (option.kind == ValueKind::folder) {
      values += "_tgkeep_files -d; return ;;\n";
    } else {
      values += "return ;;\n";
    }
  }
};

constexpr const char* kHead = R"(# Completion of tgkeep in bash: source it, or put it into
# /usr/share/bash-completion/completions/tgkeep. Made by `tgkeep completion bash`.

_tgkeep_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_tgkeep() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} path= skip=0 files=0 words= i
  COMPREPLY=()
  # bash takes --name=value for three words.
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $prev == '=' ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == '=' ]]; then
      skip=1
      continue
    fi
    if ((skip)); then
      skip=0
      continue
    fi
    case "$path ${COMP_WORDS[i]}" in
)";

constexpr const char* kTail = R"(  esac
  if ((files)) && [[ $cur != -* ]]; then
    _tgkeep_files -f
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _tgkeep tgkeep
)";

}  // namespace

std::string bash_completion(const GuideCommand& program) {
  const BashLines lines(program);
  std::string script = kHead;
  script += lines.steps + lines.skips;
  script += "    esac\n  done\n  case \"$path $prev\" in\n" + lines.values;
  script += "  esac\n  case \"$path\" in\n" + lines.words;
  return script + kTail;
}

}  // namespace tgkeep::app
