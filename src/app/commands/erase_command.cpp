#include "app/commands/erase_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <string>
#include <vector>

#include "app/ask/json_fields.hpp"
#include "app/ask/session.hpp"
#include "app/commands/bot_choice.hpp"
#include "app/commands/command_end.hpp"
#include "app/display/confirm.hpp"
#include "app/display/progress_line.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

constexpr const char* kFooter =
    "Updates and calls that concern them go from the queues, the dead letters and the history, and the "
    "state\n"
    "that handlers kept under their id; what waits counts as dropped (erased). Their bytes are gone from "
    "the\n"
    "files afterwards. Backups are not touched: make new ones and delete the old.";

}  // namespace

EraseCommand::EraseCommand(CLI::App& app)
    : erase_(*app.add_subcommand("erase", "Take away all that concerns a person or a chat")) {
  erase_.footer(kFooter);
  CLI::Option* const user = erase_.add_option("--user", user_, "The person's id")->type_name("ID");
  erase_.add_option("--chat", chat_, "The chat's id")->type_name("ID")->excludes(user);
  add_reach(erase_, options_);
  erase_.add_flag("--all-bots", all_bots_, "From all bots")->excludes(erase_.get_option("--bot"));
  erase_.add_flag("-y,--yes", yes_, "Don't ask");
}

std::optional<int> EraseCommand::run() {
  if (!erase_.parsed()) return std::nullopt;
  if (!user_ && !chat_) {
    throw CommandEnd(Exit::wrong, "erase: whom? Name a person with --user ID, or a chat with --chat ID");
  }
  const std::string whom = user_ ? fmt::format("user {}", *user_) : fmt::format("chat {}", *chat_);
  std::string whose = options_.bot.empty() ? "the bot" : "bot " + options_.bot;
  if (all_bots_) whose = "all bots";
  confirm(fmt::format("This takes away all that {} keeps about {}, for good.", whose, whom), yes_);

  Session session(options_, Need::changing);
  std::vector<std::string> bots{session.bot()};
  if (all_bots_) bots = all_bots_of(session.get(Target({"status"})));
  json::object body;
  body[user_ ? "user" : "chat"] = user_ ? *user_ : *chat_;
  std::int64_t found = 0;
  for (const std::string& bot : bots) {
    json::value answer;
    {
      ProgressLine line("erasing");
      answer =
          session.post(Target({"bots", bot, "erase"}), body, std::chrono::hours(6), [&line] { line.show(); });
    }
    for (const char* what : {"waiting", "finished", "state"}) found += number_at(answer, what);
    if (session.json()) {
      print_json(session.raw());
      continue;
    }
    const std::string name = bot == "-" ? "" : safe_text(bot) + ": ";
    fmt::print("{}erased: {} waiting or dead, {} finished, {} of state\n", name, number_at(answer, "waiting"),
               number_at(answer, "finished"), number_at(answer, "state"));
  }
  return code_of(found == 0 ? Exit::not_found : Exit::done);
}

}  // namespace tgkeep::app
