#include "app/commands/reload_command.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "app/ask/json_fields.hpp"
#include "app/ask/session.hpp"
#include "app/commands/exit_code.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

ReloadCommand::ReloadCommand(CLI::App& app)
    : reload_(*app.add_subcommand("reload", "Let the running process read its configuration again")) {
  reload_.footer(
      "As SIGHUP does, but says what came of it. A configuration that is wrong changes nothing: try it with\n"
      "`tgkeep config check` first.");
  add_reach(reload_, options_, false);
}

std::optional<int> ReloadCommand::run() {
  if (!reload_.parsed()) return std::nullopt;
  Session session(options_, Need::process);
  const json::value answer = session.post(Target({"reload"}), json::object(), std::chrono::minutes(5));
  if (session.json()) {
    print_json(session.raw());
    return code_of(Exit::done);
  }
  const json::array& changes = list_at(answer, "changes");
  if (changes.empty()) fmt::print("nothing has changed\n");
  for (const json::value& change : changes) {
    if (change.is_string()) fmt::print("{}\n", safe_text(change.get_string()));
  }
  return code_of(Exit::done);
}

}  // namespace tgkeep::app
