#include "app/commands/pause_commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <vector>

#include "app/ask/json_fields.hpp"
#include "app/ask/session.hpp"
#include "app/commands/bot_choice.hpp"
#include "app/commands/command_end.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

PauseCommands::PauseCommands(CLI::App& app)
    : pause_(*app.add_subcommand("pause", "Stop deliveries; updates are still received and kept")),
      resume_(*app.add_subcommand("resume", "Go on with deliveries")) {
  pause_.footer("It lasts until `tgkeep resume`, over restarts, too. What runs goes on to its end.");
  for (CLI::App* command : {&pause_, &resume_}) {
    command->add_option("--queue", queue_, "inbox (updates) or outbox (calls); without it both")
        ->check(CLI::IsMember({"inbox", "outbox"}));
    add_reach(*command, options_);
    CLI::Option* const target =
        command->add_option("--target", target_, "All bots whose updates are pushed to this host and port")
            ->type_name("HOST:PORT");
    CLI::Option* const all = command->add_flag("--all-bots", all_bots_, "All bots");
    CLI::Option* const bot = command->get_option("--bot");
    target->excludes(all);
    target->excludes(bot);
    all->excludes(bot);
  }
}

std::optional<int> PauseCommands::run() {
  if (!pause_.parsed() && !resume_.parsed()) return std::nullopt;
  Session session(options_, Need::changing);
  std::vector<std::string> bots{session.bot()};
  if (all_bots_ || !target_.empty()) {
    const json::value status = session.get(Target({"status"}));
    bots = all_bots_ ? all_bots_of(status) : bots_pushed_to(status, target_);
  }
  json::object body;
  if (!queue_.empty()) body["queue"] = queue_;
  for (const std::string& bot : bots) {
    const json::value answer =
        session.post(Target({"bots", bot, pause_.parsed() ? "pause" : "resume"}), body);
    if (session.json()) {
      print_json(session.raw());
      continue;
    }
    const auto word = [&answer](const char* queue) {
      return flag_at(member(answer, "paused"), queue) ? "paused" : "open";
    };
    const std::string name = bot == "-" ? "" : safe_text(bot) + ": ";
    fmt::print("{}inbox {}, outbox {}\n", name, word("inbox"), word("outbox"));
  }
  return code_of(Exit::done);
}

}  // namespace tgkeep::app
