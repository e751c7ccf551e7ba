#include <string>

#include "app/commands/exit_code.hpp"
#include "app/guide/roff.hpp"
#include "app/guide/tree.hpp"

namespace tgkeep::app {

namespace {

std::string value_text(const GuideOption& option) {
  return "\\fI" + roff(option.value) + "\\fR";
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

std::string joined(const std::vector<std::string>& words, const char* before, const char* after) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + (before + roff(word)) + after;
  return list;
}

std::string option_text(const GuideOption& option) {
  std::string text = ".TP\n";
  if (option.names.empty()) {
    text += value_text(option) + "\n";
  } else {
    text += joined(option.names, "\\fB", "\\fR");
    text += option.kind == ValueKind::none ? "\n" : " " + value_text(option) + "\n";
  }
  text += roff(sentence(option.help)) + "\n";
  if (!option.choices.empty()) text += "One of " + joined(option.choices, "", "") + ".\n";
  if (!option.by_default.empty()) text += roff("Default: " + option.by_default + ".") + "\n";
  if (!option.environment.empty()) text += roff("Also from the variable " + option.environment + ".") + "\n";
  return text;
}

std::string usage(const GuideCommand& command, const std::string& path) {
  std::string text = "\\fB" + roff(path) + "\\fR [\\fIoptions\\fR]";
  for (const GuideOption& positional : command.positionals) {
    std::string word = value_text(positional);
    if (positional.repeated) word += " ...";
    text += positional.required ? " " + word : " [" + word + "]";
  }
  return text;
}

void add(std::string& page, const GuideCommand& command, const std::string& path) {
  for (const GuideCommand& below : command.below) add(page, below, path + " " + below.name);
  if (!command.below.empty()) return;
  page +=
      ".SS \"" + roff(path) + "\"\n" + usage(command, path) + "\n.PP\n" + roff(sentence(command.help)) + "\n";
  if (!command.aliases.empty()) page += "Also called " + joined(command.aliases, "", "") + ".\n";
  if (!command.footer.empty()) page += ".PP\n" + roff_with_examples(command.footer);
  for (const GuideOption& positional : command.positionals) page += option_text(positional);
  for (const GuideOption& option : command.options) {
    if (option.names.back() != "--help") page += option_text(option);
  }
}

constexpr const char* kHead = R"(.SH NAME
tgkeep \- keeps every Telegram update until a bot is done with it
.SH SYNOPSIS
\fBtgkeep\fR \fIcommand\fR [\fIoptions\fR]
.SH DESCRIPTION
It polls Telegram or takes its webhook, writes each update to disk before it confirms it, and hands it to the bot until
the bot says it is done.
.PP
Commands about a bot ask the running process.
When none runs, they read its files, and those that change something own them for that long.
.SH COMMANDS
)";

constexpr const char* kTail = R"(.SH ENVIRONMENT
.TP
\fBTGKEEP_TOKEN\fR
The token of the bot, from @BotFather.
Never an argument.
.TP
\fBTGKEEP_CONFIG\fR
A configuration file, as \fB\-\-config\fR names one.
.TP
\fBTGKEEP_ADMIN\fR, \fBTGKEEP_ADMIN_TOKEN\fR
A tgkeep elsewhere to ask, and the token of its admin.listen.
.TP
\fBTGKEEP_WEBHOOK_SECRET\fR, \fBTGKEEP_PUSH_SECRET\fR
Secrets of the webhook and of the push.
.TP
\fBTGKEEP_\fR...
Every setting: poll.timeout is TGKEEP_POLL_TIMEOUT.
\fBtgkeep config defaults\fR lists them.
.TP
\fBNO_COLOR\fR
When it is not empty, no colours.
.SH FILES
.TP
\fItgkeep\-data/\fR
The queues, unless the setting folder names another place: inbox.db with its WAL, inbox.commits, inbox.lock and history/.
.TP
\fItgkeep\-data/admin.sock\fR
Where a running process is asked; only its owner may open it.
.SH SIGNALS
.TP
\fBSIGTERM\fR, \fBSIGINT\fR
Stop: receive nothing more, let handlers finish within the setting drain.
A second one ends the process at once.
.TP
\fBSIGHUP\fR
Read the configuration and the TLS certificate again.
)";

}  // namespace

std::string man_page(const GuideCommand& program, const std::string& version) {
  std::string page = ".\\\" Made by `tgkeep man`.\n.TH TGKEEP 1 \"\" \"tgkeep " + roff(version) +
                     "\" \"User Commands\"\n" + kHead;
  add(page, program, program.name);
  page += ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, meaning] : kExitMeanings) {
    page += ".TP\n\\fB" + std::to_string(code_of(code)) + "\\fR\n" + roff(meaning) + ".\n";
  }
  return page + kTail;
}

}  // namespace tgkeep::app
