#include "app/display/confirm.hpp"

#include <fmt/format.h>

#include <iostream>

#include "app/commands/command_end.hpp"
#include "app/display/terminal.hpp"

namespace tgkeep::app {

void confirm(const std::string& question, bool yes) {
  if (yes) return;
  if (!stdin_is_terminal()) {
    throw CommandEnd(Exit::wrong, question + " There is no terminal to ask at: say --yes if you mean it");
  }
  fmt::print(stderr, "{}\nType yes to go on: ", question);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != "yes") throw CommandEnd(Exit::refused, "nothing was changed");
}

}  // namespace tgkeep::app
