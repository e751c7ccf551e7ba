#include "app/commands/drain_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "app/ask/json_fields.hpp"
#include "app/commands/command_end.hpp"
#include "app/display/amounts.hpp"
#include "app/display/progress_line.hpp"
#include "app/display/status_view.hpp"
#include "app/quantity.hpp"

namespace tgkeep::app {

namespace {

constexpr std::chrono::milliseconds kLook{250};
// With nothing left to hand over a stop is short; this is for one that hangs.
constexpr std::chrono::seconds kStop{60};

constexpr const char* kFooter =
    "It receives nothing more and goes on handing over what is stored, until nothing waits. Updates stay at\n"
    "Telegram meanwhile, for up to 24 h. `tgkeep drain --undo` receives again; so does a restart.\n"
    "Exit code 3: --wait was over before everything was handed over; what is left stays in the store.";

bool is_paused(const json::value& status) {
  for (const json::value& bot : list_at(status, "bots")) {
    for (const char* queue : {"inbox", "outbox"}) {
      if (flag_at(member(bot, queue), "paused")) return true;
    }
  }
  return false;
}

std::optional<Duration> patience(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const Result<Duration> duration = read_duration(text);
  if (duration.has_error()) throw CommandEnd(Exit::wrong, "--wait: " + duration.error().text());
  return *duration;
}

}  // namespace

DrainCommand::DrainCommand(CLI::App& app)
    : drain_(*app.add_subcommand("drain", "Receive nothing more and hand over what is stored")) {
  drain_.footer(kFooter);
  CLI::Option* const wait =
      drain_
          .add_option("--wait", wait_,
                      "At most so long, such as 10m; 0s: don't wait. Else until nothing waits")
          ->type_name("DURATION");
  CLI::Option* const stop = drain_.add_flag("--then-stop", then_stop_, "Then stop the process");
  drain_.add_flag("--undo", undo_, "Receive again")->excludes(wait)->excludes(stop);
  add_reach(drain_, options_, false);
}

std::optional<int> DrainCommand::run() {
  if (!drain_.parsed()) return std::nullopt;
  patience(wait_);
  Session session(options_, Need::process);
  if (!undo_) return drain(session);
  session.post(Target({"receive"}), json::object());
  if (session.json()) {
    print_json(session.raw());
  } else {
    fmt::print("receiving again\n");
  }
  return code_of(Exit::done);
}

int DrainCommand::drain(Session& session) {
  const std::optional<Duration> limit = patience(wait_);
  const auto begun = std::chrono::steady_clock::now();
  json::value status = session.post(Target({"drain"}), json::object());
  const std::int64_t all = unsettled(status);
  std::int64_t left = all;
  if (left > 0 && is_paused(status)) {
    fmt::print(stderr,
               "tgkeep: a queue is paused, so what it holds will wait: `tgkeep resume` hands it over\n");
  }
  {
    ProgressLine line("handing over");
    while (left > 0) {
      if (limit && std::chrono::steady_clock::now() - begun >= *limit) break;
      line.show(static_cast<std::uint64_t>(std::max<std::int64_t>(0, all - left)),
                static_cast<std::uint64_t>(all), fmt::format("{} left", left));
      session.pass(limit ? std::min<Duration>(kLook, *limit) : Duration(kLook));
      status = session.get(Target({"status"}));
      left = unsettled(status);
    }
  }
  if (session.json()) print_json(session.raw());
  const auto say = [&session](const std::string& text) {
    if (!session.json()) fmt::print("{}\n", text);
  };
  if (left == 0) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    say("nothing waits any more (" + age_text(took.count()) + ")");
  } else {
    fmt::print(stderr, "tgkeep: {} are not handed over yet; they stay in the store\n", left);
  }
  bool stopped = true;
  if (then_stop_) {
    stopped = stop(session);
    if (stopped) say("stopped");
  } else {
    say("it receives nothing until `tgkeep drain --undo`");
  }
  return code_of(left > 0 || !stopped ? Exit::cut_off : Exit::done);
}

bool DrainCommand::stop(Session& session) {
  session.post(Target({"stop"}), json::object());
  const auto begun = std::chrono::steady_clock::now();
  ProgressLine line("stopping");
  while (session.is_there()) {
    if (std::chrono::steady_clock::now() - begun > kStop) {
      fmt::print(stderr, "tgkeep: it was told to stop and still runs; its log says what it waits for\n");
      return false;
    }
    line.show();
    session.pass(kLook);
  }
  return true;
}

}  // namespace tgkeep::app
