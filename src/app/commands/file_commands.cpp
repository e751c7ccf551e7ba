#include "app/commands/file_commands.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>
#include <tgkeep/sqlite_files.hpp>

#include "app/ask/reach.hpp"
#include "app/ask/session.hpp"
#include "app/commands/command_end.hpp"
#include "app/config.hpp"
#include "app/display/amounts.hpp"
#include "app/display/progress_line.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

constexpr const char* kRestoreFooter =
    "The folder must be empty or not exist. Every row of the backup is looked at first; one that is damaged "
    "is\n"
    "refused. What came after the backup and was confirmed to Telegram is lost; what was handled after it "
    "is\n"
    "handed over again. docs/operations.md says exactly what to expect.";

constexpr const char* kCheckFooter =
    "Reads every row and compares it with its checksum, the totals with the rows, and the files with each "
    "other.\n"
    "It changes nothing; the store must not be in use. Without a folder: that of the configuration. A backup "
    "can\n"
    "be checked as well. Exit code 1 when something is wrong.";

Exit exit_of(Errc code) {
  if (code == Errc::store_locked) return Exit::refused;
  return code == Errc::misuse || code == Errc::bad_config ? Exit::wrong : Exit::failed;
}

json::value text_value(const std::string& text) {
  return json::value(safe_text(text));
}

void print_finding(const store::StoreFinding& finding) {
  std::string place = finding.file;
  if (!finding.table.empty()) place += ", " + finding.table;
  if (finding.seq) place += fmt::format(" {}", finding.seq->value());
  fmt::print("{}: {}\n  → {}\n", safe_text(place), safe_text(finding.what), safe_text(finding.remedy));
}

json::object finding_json(const store::StoreFinding& finding) {
  json::object shown;
  shown["file"] = text_value(finding.file);
  shown["table"] = text_value(finding.table);
  shown["seq"] = finding.seq ? json::value(finding.seq->value()) : json::value();
  shown["what"] = text_value(finding.what);
  shown["remedy"] = text_value(finding.remedy);
  return shown;
}

/// Prints what was found in one folder; whether all is well.
bool print_check(const std::string& folder, const store::StoreCheck& check, bool as_json) {
  const std::uint64_t count = check.findings.size() + check.more;
  if (as_json) {
    json::object answer;
    answer["folder"] = text_value(folder);
    answer["fine"] = count == 0;
    answer["files"] = check.files;
    answer["rows"] = check.rows;
    answer["more"] = check.more;
    json::array findings;
    for (const store::StoreFinding& finding : check.findings) findings.push_back(finding_json(finding));
    answer["findings"] = std::move(findings);
    print_json(json::serialize(answer));
    return count == 0;
  }
  for (const store::StoreFinding& finding : check.findings) print_finding(finding);
  if (check.more > 0) fmt::print("… and {} more\n", check.more);
  const std::string verdict = count == 0 ? "all is well" : fmt::format("{} things are wrong", count);
  fmt::print("{}: {} files, {} rows: {}\n", safe_text(folder), check.files, check.rows, verdict);
  return count == 0;
}

}  // namespace

FileCommands::FileCommands(CLI::App& app)
    : restore_(*app.add_subcommand("restore", "Bring a backup back, into a new folder")),
      check_(*app.add_subcommand("check", "Look at every row of a stopped store, or of a backup")) {
  restore_.footer(kRestoreFooter);
  restore_.add_option("backup", backup_, "The folder that `tgkeep backup` wrote")
      ->required()
      ->type_name("FOLDER");
  restore_.add_option("--to,to", to_, "The folder of the store to be")->required()->type_name("FOLDER");
  check_.footer(kCheckFooter);
  check_.add_option("folder", folder_, "A store's folder, or a backup's")->type_name("FOLDER");
  add_config(check_, config_file_, flags_);
  check_.add_option("--bot", bot_, "Which of several bots, by its name")->type_name("BOT");
  for (CLI::App* command : {&restore_, &check_}) command->add_flag("--json", json_, "Print an object");
}

std::optional<int> FileCommands::run() {
  if (restore_.parsed()) return restore();
  if (check_.parsed()) return check();
  return std::nullopt;
}

int FileCommands::restore() const {
  if (!std::filesystem::is_directory(backup_)) {
    throw CommandEnd(Exit::not_found,
                     "restore: there is no folder " + backup_ + "; name the one `tgkeep backup` wrote");
  }
  const auto restored = [this] {
    ProgressLine line("restoring");
    return store::restore_sqlite_store(
        backup_, to_, [&line](std::uint64_t done, std::uint64_t all) { line.show(done, all); });
  }();
  if (restored.has_error()) throw CommandEnd(exit_of(restored.error().code()), restored.error().text());
  if (json_) {
    json::object answer;
    answer["folder"] = text_value(to_);
    answer["commits"] = restored->commits;
    answer["made_at"] = to_millis(restored->made);
    answer["bytes"] = restored->bytes;
    print_json(json::serialize(answer));
  } else {
    fmt::print("{}: as of {}, {}, {} commits\n", safe_text(to_), moment_text(restored->made),
               bytes_text(restored->bytes), restored->commits);
  }
  return code_of(Exit::done);
}

int FileCommands::check() const {
  std::vector<std::string> folders{folder_};
  if (folder_.empty()) folders = stored_folders(load(config_file_, flags_), bot_);
  bool fine = true;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) {
      throw CommandEnd(Exit::not_found,
                       "check: there is no folder " + folder + "; name a store's or a backup's");
    }
    const auto checked = [&folder] {
      ProgressLine line("checking");
      return store::check_sqlite_store(
          folder, [&line](std::uint64_t done, std::uint64_t all) { line.show(done, all); });
    }();
    if (checked.has_error()) throw CommandEnd(exit_of(checked.error().code()), checked.error().text());
    fine = print_check(folder, *checked, json_) && fine;
  }
  return code_of(fine ? Exit::done : Exit::failed);
}

}  // namespace tgkeep::app
