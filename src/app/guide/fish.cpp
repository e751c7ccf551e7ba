#include <string>

#include "app/guide/tree.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

std::string in_quotes(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe + "'";
}

std::string names_of(const GuideOption& option) {
  std::string text;
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return text;
}

std::string value_of(const GuideOption& option) {
  switch (option.kind) {
    case ValueKind::none:
      return "";
    case ValueKind::choice:
      return " -x -a " + in_quotes(words::joined(option.choices, " "));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::text:
      return " -x";
  }
  return "";
}

class FishLines {
 public:
  explicit FishLines(const GuideCommand& program) { add(program, ""); }
  std::string steps;  ///< a word that leads to a command, as a `case`
  std::string lines;

 private:
  void add(const GuideCommand& command, const std::string& path) {
    const std::string at = "complete -c tgkeep -n '__tgkeep_at \"" + path + "\"'";
    for (const GuideCommand& below : command.below) {
      const std::string deeper = path + "/" + below.name;
      steps += "            case '" + deeper + "'";
      for (const std::string& alias : below.aliases) steps += " '" + path + "/" + alias + "'";
      steps += "\n                set path '" + deeper + "'\n";
      lines += at + " -a " + below.name + " -d " + in_quotes(below.help) + "\n";
    }
    for (const GuideOption& positional : command.positionals) {
      if (positional.kind == ValueKind::file || positional.kind == ValueKind::folder) lines += at + " -F\n";
      for (const std::string& choice : positional.choices) lines += at + " -a " + choice + "\n";
    }
    for (const GuideOption& option : command.options) {
      lines += at + names_of(option) + value_of(option) + " -d " + in_quotes(option.help) + "\n";
    }
    for (const GuideCommand& below : command.below) add(below, path + "/" + below.name);
  }
};

constexpr const char* kHead =
    R"(# Completion of tgkeep in fish: put it into /usr/share/fish/vendor_completions.d as tgkeep.fish.
# Made by `tgkeep completion fish`.

# Whether the command line stands at this command, such as /dead/ls.
function __tgkeep_at
    set -l path ''
    for word in (commandline -opc)[2..-1]
        switch "$path/$word"
)";

}  // namespace

std::string fish_completion(const GuideCommand& program) {
  const FishLines lines(program);
  return kHead + lines.steps +
         "        end\n    end\n    test \"$path\" = \"$argv[1]\"\nend\n\ncomplete -c tgkeep -f\n" +
         lines.lines;
}

}  // namespace tgkeep::app
