#include "app/commands/replay_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <cstdio>

#include "app/ask/json_fields.hpp"
#include "app/commands/command_end.hpp"
#include "app/display/bot_words.hpp"
#include "app/display/progress_line.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

constexpr std::chrono::milliseconds kLook{250};

constexpr const char* kFooter =
    "Each goes to the tail of the queue as a new run, and is marked: your handler sees it again, and so may\n"
    "people. What waits is left out, and what was replayed before, unless --force says otherwise.\n"
    "A running tgkeep goes on when this command is interrupted: --cancel ends the job, --progress shows it.\n"
    "  tgkeep replay --id 900-950\n"
    "  tgkeep replay --from 10:00 --to 10:30 --kind message --dry-run\n"
    "  tgkeep replay --chat 5 --from yesterday --state dead";

}  // namespace

ReplayCommand::ReplayCommand(CLI::App& app)
    : replay_(*app.add_subcommand("replay", "Hand over finished or dead updates once more")) {
  replay_.footer(kFooter);
  find_.add_when(replay_);
  find_.add_what(replay_);
  replay_.add_option("--state", states_, "done, dead, or both with a comma")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"done", "dead"}))
      ->capture_default_str();
  replay_.add_option("--rate", rate_, "Updates a second")->check(CLI::Range(1, 1000))->capture_default_str();
  replay_.add_flag("--force", force_, "Also those that were replayed before");
  CLI::Option* const dry_run =
      replay_.add_flag("-n,--dry-run", dry_run_, "Only say how many match; change nothing");
  replay_.add_flag("--no-wait", no_wait_, "Leave the rest to the running process");
  CLI::Option* const cancel = replay_.add_flag("--cancel", cancel_, "End the replay that runs");
  replay_.add_flag("--progress", progress_, "Show the replay that runs or ran last")
      ->excludes(cancel)
      ->excludes(dry_run);
  add_reach(replay_, options_);
}

std::optional<int> ReplayCommand::run() {
  if (!replay_.parsed()) return std::nullopt;
  if (cancel_ || progress_) {
    if (find_.any()) {
      throw CommandEnd(Exit::wrong,
                       "replay: --cancel and --progress are about the replay that runs; leave out "
                       "which updates to replay");
    }
    Session session(options_, Need::process);
    const Target target({"bots", session.bot(), "replay"});
    json::value job;
    if (cancel_) {
      job = session.post(Target({"bots", session.bot(), "replay", "cancel"}), json::object());
    } else {
      job = session.get(target);
    }
    if (job.is_null()) throw CommandEnd(Exit::not_found, "no replay has run since tgkeep was started");
    return show(session, job);
  }
  if (!find_.any()) {
    throw CommandEnd(
        Exit::wrong,
        "replay: say which updates: --id, --from, --chat or --key; --dry-run shows how many match");
  }
  // Looks before it locks: what nobody can mean should not stop anything.
  json::object unused;
  find_.put(unused);
  Session session(options_, dry_run_ ? Need::reading : Need::changing);
  return begin(session);
}

int ReplayCommand::begin(Session& session) {
  json::object body;
  find_.put(body);
  json::array states;
  for (const std::string& state : states_) states.emplace_back(state);
  body["states"] = std::move(states);
  body["rate"] = rate_;
  body["force"] = force_;
  body["dry_run"] = dry_run_;
  const Target target({"bots", session.bot(), "replay"});
  const json::value answer = session.post(target, body, std::chrono::minutes(10));
  const std::int64_t matched = number_at(answer, "matched");
  json::value job = member(answer, "job");
  if (dry_run_ || (no_wait_ && session.live()) || matched == 0) {
    if (session.json()) {
      print_json(session.raw());
    } else {
      fmt::print("{} match\n", matched);
    }
    return code_of(matched == 0 ? Exit::not_found : Exit::done);
  }
  {
    ProgressLine line("replaying");
    while (flag_at(job, "running")) {
      line.show(static_cast<std::uint64_t>(number_at(job, "done")),
                static_cast<std::uint64_t>(number_at(job, "of")));
      session.pass(kLook);
      job = session.get(target);
    }
  }
  return show(session, job);
}

int ReplayCommand::show(const Session& session, const json::value& job) const {
  const std::int64_t of = number_at(job, "of");
  const std::int64_t done = number_at(job, "done");
  const std::string error = text_at(job, "error");
  if (session.json()) {
    print_json(session.raw());
  } else {
    std::string text = fmt::format("replayed {} of {}", number_at(job, "replayed"), of);
    const std::string skipped = safe_text(counts_text(member(job, "skipped")));
    if (!skipped.empty()) text += "; left out: " + skipped;
    if (flag_at(job, "running")) text += "; it goes on";
    fmt::print("{}\n", text);
  }
  if (!error.empty()) {
    fmt::print(stderr, "tgkeep: the replay ended early: {}\n", safe_text(error));
    return code_of(Exit::failed);
  }
  return code_of(!flag_at(job, "running") && !cancel_ && done < of ? Exit::cut_off : Exit::done);
}

}  // namespace tgkeep::app
