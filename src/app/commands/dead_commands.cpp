#include "app/commands/dead_commands.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdio>

#include "app/ask/json_fields.hpp"
#include "app/ask/session.hpp"
#include "app/commands/command_end.hpp"
#include "app/commands/find_commands.hpp"
#include "app/commands/whole_number.hpp"
#include "app/display/confirm.hpp"

namespace tgkeep::app {

namespace {

std::string numbers(const json::array& list) {
  std::string text;
  for (const json::value& number : list) text += (text.empty() ? "" : ", ") + json::serialize(number);
  return text;
}

}  // namespace

DeadCommands::DeadCommands(CLI::App& app)
    : dead_(*app.add_subcommand("dead", "Dead letters, and calls held for a decision")) {
  dead_.require_subcommand(1);
  ls_ = dead_.add_subcommand("ls", "A line each, oldest first")->alias("list");
  show_ = dead_.add_subcommand("show", "Show them whole");
  retry_ = dead_.add_subcommand("retry", "Put them back to the tail of their queue, each as a new run");
  drop_ = dead_.add_subcommand("drop", "Give them up for good");
  show_->add_option("seqs", seqs_, "The numbers that `dead ls` shows")->required()->type_name("SEQ");
  for (CLI::App* command : {retry_, drop_}) {
    command->add_option("seqs", seqs_, "The numbers that `dead ls` shows")->type_name("SEQ");
    command->add_flag("--all", all_, "All of them, or all that the options name");
  }
  drop_->add_flag("-y,--yes", yes_, "Don't ask");
  for (CLI::App* command : {ls_, retry_, drop_}) {
    find_.add_reason(*command);
    find_.add_what(*command);
  }
  find_.add_when(*ls_);
  ls_->add_option("--limit", limit_, "At most so many")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  ls_->add_option("--after", after_, "Go on after this seq")->check(whole_number(0))->type_name("SEQ");
  ls_->add_flag("--newest", newest_, "The newest first");
  for (CLI::App* command : {ls_, show_, retry_, drop_}) {
    find_.add_queue(*command);
    add_reach(*command, options_);
  }
}

std::optional<int> DeadCommands::run() {
  if (!dead_.parsed()) return std::nullopt;
  if (retry_->parsed() || drop_->parsed()) return change(drop_->parsed());
  Session session(options_, Need::reading);
  if (show_->parsed()) return print_items(session, find_.queue, seqs_);
  find_.states = {"dead", "held"};
  return print_items(session, find_, limit_, after_, newest_, false);
}

int DeadCommands::change(bool drop) {
  const std::string name = drop ? "dead drop" : "dead retry";
  if (all_ == !seqs_.empty()) {
    throw CommandEnd(Exit::wrong,
                     name + ": name the numbers that `tgkeep dead ls` shows, or say --all; not both");
  }
  if (!all_ && find_.any()) {
    throw CommandEnd(Exit::wrong,
                     name + ": --reason, --kind, --chat and --key go with --all; numbers say it all");
  }
  json::object body;
  body["queue"] = find_.queue;
  if (all_) {
    body["all"] = true;
    find_.put(body);
    if (drop) {
      confirm("This gives up " +
                  std::string(find_.any() ? "all dead letters that match" : "all dead letters") + " of the " +
                  find_.queue + " for good.",
              yes_);
    }
  } else {
    json::array seqs;
    for (const std::int64_t seq : seqs_) seqs.emplace_back(seq);
    body["seqs"] = std::move(seqs);
  }

  Session session(options_, Need::changing);
  const json::value answer =
      session.post(Target({"bots", session.bot(), drop ? "drop" : "retry"}), body, std::chrono::minutes(30));
  const json::array& changed = list_at(answer, drop ? "dropped" : "retried");
  const json::array& missing = list_at(answer, "missing");
  if (session.json()) {
    print_json(session.raw());
  } else if (drop) {
    fmt::print("dropped {}\n", changed.size());
  } else {
    for (const json::value& retried : changed) {
      fmt::print("{} is {} now\n", number_at(retried, "seq"), number_at(retried, "as"));
    }
  }
  if (!missing.empty()) {
    fmt::print(stderr, "tgkeep: not dead in the {}: {}; `tgkeep dead ls --queue {}` shows what is\n",
               find_.queue, numbers(missing), find_.queue);
    return code_of(Exit::not_found);
  }
  if (changed.empty()) {
    if (!session.json()) fmt::print(stderr, "nothing in the {} matches\n", find_.queue);
    return code_of(Exit::not_found);
  }
  return code_of(Exit::done);
}

}  // namespace tgkeep::app
