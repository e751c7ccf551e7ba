#include "app/commands/backup_command.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>

#include "app/ask/json_fields.hpp"
#include "app/commands/bot_choice.hpp"
#include "app/commands/command_end.hpp"
#include "app/display/amounts.hpp"
#include "app/display/bot_words.hpp"
#include "app/display/progress_line.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

constexpr const char* kFooter =
    "The folder must not exist yet; it is complete afterwards, or not there. With several bots and no --bot "
    "each\n"
    "gets a folder in it, named by its id. A running tgkeep writes it, so it must have the right to. It "
    "holds what\n"
    "people wrote to the bot: keep it as safe as the store. `tgkeep check FOLDER` looks at every row of it,\n"
    "`tgkeep restore FOLDER --to NEW` brings it back.";

}  // namespace

BackupCommand::BackupCommand(CLI::App& app)
    : backup_(*app.add_subcommand("backup", "Copy a store, running or not, into a new folder")) {
  backup_.footer(kFooter);
  backup_.add_option("folder", folder_, "The new folder")->required()->type_name("FOLDER");
  add_reach(backup_, options_);
}

std::optional<int> BackupCommand::run() {
  if (!backup_.parsed()) return std::nullopt;
  namespace fs = std::filesystem;
  const bool remote = !options_.admin_url.empty();
  fs::path folder(folder_);
  if (remote && folder.is_relative()) {
    throw CommandEnd(Exit::wrong, "backup: name the whole path: " + folder_ +
                                      " is to be on the machine of the other "
                                      "tgkeep");
  }
  if (!remote) folder = fs::absolute(folder).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  std::error_code ignored;
  if (!remote && fs::exists(folder, ignored)) {
    throw CommandEnd(Exit::wrong,
                     "backup: " + folder.string() + " is there already: name a folder that does not exist");
  }

  Session session(options_, Need::reading);
  const json::value status = session.get(Target({"status"}));
  std::vector<const json::value*> bots;
  for (const json::value& bot : list_at(status, "bots")) {
    if (!is_meant(bot, options_.bot)) continue;
    if (text_at(bot, "folder").empty()) {
      fmt::print(stderr, "tgkeep: {} keeps its queues in memory: there is nothing to back up\n",
                 safe_text(bot_name(bot)));
    } else {
      bots.push_back(&bot);
    }
  }
  if (bots.empty())
    throw CommandEnd(Exit::not_found, "backup: there is no bot " + options_.bot + " with a store");
  const bool several = list_at(status, "bots").size() > 1 && options_.bot.empty();
  for (const json::value* bot : bots) {
    const json::value& store = member(*bot, "store");
    std::uint64_t size = 0;
    for (const char* part : {"file_bytes", "wal_bytes", "history_bytes"}) {
      size += static_cast<std::uint64_t>(number_at(store, part));
    }
    const fs::path place = several ? folder / path_name(*bot) : folder;
    if (!remote) fs::create_directories(place.parent_path(), ignored);
    back_up(session, path_name(*bot), place.string(), size);
  }
  return code_of(Exit::done);
}

void BackupCommand::back_up(Session& session, const std::string& bot, const std::string& folder,
                            std::uint64_t size) {
  json::object body;
  body["folder"] = folder;
  json::value answer;
  {
    ProgressLine line("backing up " + bytes_text(size));
    answer =
        session.post(Target({"bots", bot, "backup"}), body, std::chrono::hours(12), [&line] { line.show(); });
  }
  if (session.json()) {
    print_json(session.raw());
    return;
  }
  fmt::print("{}: {}, {} commits\n", safe_text(text_at(answer, "folder")),
             bytes_text(static_cast<std::uint64_t>(number_at(answer, "bytes"))),
             number_at(answer, "commits"));
}

}  // namespace tgkeep::app
