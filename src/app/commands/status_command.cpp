#include "app/commands/status_command.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/ask/session.hpp"
#include "app/commands/command_end.hpp"
#include "app/display/status_view.hpp"

namespace tgkeep::app {

StatusCommand::StatusCommand(CLI::App& app)
    : status_(*app.add_subcommand("status", "How the bots and their queues are, running or not")) {
  add_reach(status_, options_);
}

std::optional<int> StatusCommand::run() {
  if (!status_.parsed()) return std::nullopt;
  Session session(options_, Need::reading);
  const json::value status = session.get(Target({"status"}));
  if (!options_.bot.empty() && !has_bot(status, options_.bot)) {
    throw CommandEnd(Exit::not_found,
                     "--bot: there is no bot " + options_.bot + "; `tgkeep status` shows all");
  }
  if (session.json()) {
    print_json(session.raw());
  } else {
    std::fputs(status_text(status, options_.bot).c_str(), stdout);
  }
  return code_of(Exit::done);
}

}  // namespace tgkeep::app
