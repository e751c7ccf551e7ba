#include "app/commands/find_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "app/ask/json_fields.hpp"
#include "app/commands/command_end.hpp"
#include "app/commands/whole_number.hpp"
#include "app/display/bot_words.hpp"
#include "app/display/item_view.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

constexpr std::int64_t kPage = 1000;
// Bodies are up to some 64 KiB each.
constexpr std::int64_t kPageWithBodies = 100;

json::value page(Session& session, const FindOptions& find, std::int64_t limit, std::int64_t after,
                 bool newest, bool bodies) {
  Target target({"bots", session.bot(), "items"});
  find.put(target);
  target.add("limit", std::min(limit, bodies ? kPageWithBodies : kPage));
  if (after > 0) target.add("after", after);
  if (newest) target.add("newest", "true");
  if (bodies) target.add("bodies", "true");
  return session.get(target);
}

void add_limits(CLI::App& command, std::int64_t& limit, std::int64_t& after, bool& oldest) {
  command.add_option("--limit", limit, "At most so many")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--after", after, "Go on after this seq")->check(whole_number(0))->type_name("SEQ");
  command.add_flag("--oldest", oldest, "The oldest first; else the newest");
}

}  // namespace

int print_items(Session& session, const FindOptions& find, std::int64_t limit, std::int64_t after,
                bool newest, bool bodies) {
  json::array items;
  std::int64_t next = 0;  // 0: that was all
  std::size_t pages = 0;
  do {
    json::value answer =
        page(session, find, limit - static_cast<std::int64_t>(items.size()), after, newest, bodies);
    ++pages;
    for (const json::value& item : list_at(answer, "items")) items.push_back(item);
    next = member(answer, "next").is_number() ? number_at(answer, "next") : 0;
    after = next;
  } while (next != 0 && static_cast<std::int64_t>(items.size()) < limit);

  if (session.json() && pages == 1) {
    print_json(session.raw());
  } else if (session.json()) {
    json::object all;
    all["next"] = next != 0 ? json::value(next) : json::value();
    all["items"] = std::move(items);
    print_json(json::serialize(all));
    return code_of(Exit::done);
  } else if (bodies) {
    std::string text;
    for (const json::value& item : items) text += (text.empty() ? "" : "\n") + item_text(item, wall_now());
    std::fputs(text.c_str(), stdout);
  } else if (!items.empty()) {
    std::fputs(items_text(items, wall_now()).c_str(), stdout);
  }
  if (items.empty()) {
    if (!session.json()) fmt::print(stderr, "nothing in the {} matches\n", find.queue);
    return code_of(Exit::not_found);
  }
  if (next != 0 && !session.json())
    fmt::print(stderr, "there are more: go on with --after {}, or raise --limit\n", next);
  return code_of(Exit::done);
}

int print_items(Session& session, const std::string& queue, const std::vector<std::int64_t>& seqs) {
  Exit exit = Exit::done;
  bool first = true;
  for (const std::int64_t seq : seqs) {
    try {
      const json::value item =
          session.get(Target({"bots", session.bot(), "items", queue, std::to_string(seq)}));
      if (session.json()) {
        print_json(session.raw());
      } else {
        fmt::print("{}{}", first ? "" : "\n", item_text(item, wall_now()));
      }
      first = false;
    } catch (const CommandEnd& end) {
      if (end.exit() != Exit::not_found || seqs.size() == 1) throw;
      fmt::print(stderr, "tgkeep: {}\n", safe_text(end.text()));
      exit = Exit::not_found;
    }
  }
  return code_of(exit);
}

FindCommands::FindCommands(CLI::App& app)
    : list_(*app.add_subcommand("list", "Find updates and calls: a line each")),
      show_(*app.add_subcommand("show", "Show updates or calls whole, by number or by what list takes")),
      trace_(*app.add_subcommand("trace", "What became of an update: its runs, failures and calls")) {
  show_.add_option("seqs", seqs_, "The numbers that list shows")->type_name("SEQ");
  for (CLI::App* command : {&list_, &show_}) {
    find_.add_queue(*command);
    find_.add_state(*command);
    find_.add_when(*command);
    find_.add_what(*command);
    find_.add_reason(*command);
    add_limits(*command, limit_, after_, oldest_);
  }
  CLI::Option* const id = trace_.add_option("update_id", update_id_, "Telegram's number of the update");
  id->type_name("UPDATE_ID");
  trace_.add_option("--seen-as", seen_as_, "Instead: the update_id that a bot saw which polls tgkeep")
      ->check(whole_number(1))
      ->type_name("N")
      ->excludes(id);
  for (CLI::App* command : {&list_, &show_, &trace_}) add_reach(*command, options_);
}

std::optional<int> FindCommands::run() {
  if (trace_.parsed()) return trace();
  if (!list_.parsed() && !show_.parsed()) return std::nullopt;
  if (show_.parsed() && seqs_.empty() == !find_.any()) {
    throw CommandEnd(
        Exit::wrong,
        "show: name the numbers that `tgkeep list` shows, or limit it as `tgkeep list` is, such as "
        "--chat 5; not both");
  }
  Session session(options_, Need::reading);
  if (!seqs_.empty()) return print_items(session, find_.queue, seqs_);
  return print_items(session, find_, limit_, after_, !oldest_, show_.parsed());
}

int FindCommands::trace() {
  const bool seen = seen_as_ != 0;
  if (!seen && trace_.count("update_id") == 0)
    throw CommandEnd(Exit::wrong, "trace: name the update by its update_id, or by --seen-as");
  Session session(options_, Need::reading);
  Target target({"bots", session.bot(), "trace", std::to_string(seen ? seen_as_ : update_id_)});
  if (seen) target.add("seen", "true");
  const json::value trace = session.get(target);
  if (session.json()) print_json(session.raw());
  if (list_at(trace, "runs").empty()) {
    fmt::print(stderr, "update {} is not known: it never came, or its history is over\n", update_id_);
    return code_of(Exit::not_found);
  }
  if (!session.json()) std::fputs(trace_text(trace).c_str(), stdout);
  return code_of(Exit::done);
}

}  // namespace tgkeep::app
