#include "app/commands/guide_commands.hpp"

#include <cstdio>

#include "app/commands/exit_code.hpp"
#include "app/guide/tree.hpp"

namespace tgkeep::app {

GuideCommands::GuideCommands(CLI::App& app)
    : app_(app),
      completion_(*app.add_subcommand("completion", "Print the completion script of a shell")->group("")),
      man_(*app.add_subcommand("man", "Print the man page")->group("")) {
  completion_.add_option("shell", shell_, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

std::optional<int> GuideCommands::run() {
  std::string text;
  if (man_.parsed()) {
    text = man_page(read_tree(app_), TGKEEP_VERSION);
  } else if (completion_.parsed()) {
    const GuideCommand program = read_tree(app_);
    if (shell_ == "bash") text = bash_completion(program);
    if (shell_ == "zsh") text = zsh_completion(program);
    if (shell_ == "fish") text = fish_completion(program);
  } else {
    return std::nullopt;
  }
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return code_of(written ? Exit::done : Exit::failed);
}

}  // namespace tgkeep::app
