#include "app/commands/find_options.hpp"

#include <boost/json.hpp>
#include <charconv>
#include <utility>

#include "app/commands/command_end.hpp"
#include "app/display/bot_words.hpp"
#include "app/display/moment.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

using Bounds = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// `900`, `900-950`, `900-` or `-950`.
Bounds read_ids(const std::string& text) {
  const CommandEnd wrong(Exit::wrong,
                         "--id: \"" + text +
                             "\" is no update_id: write one number, or two such as 900-950 (900- "
                             "for all from 900 on)");
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos) {
    const auto id = number(text);
    if (!id) throw wrong;
    return Bounds(id, id);
  }
  const std::string first = text.substr(0, dash);
  const std::string last = text.substr(dash + 1);
  const Bounds bounds(number(first), number(last));
  const bool readable = (first.empty() || bounds.first) && (last.empty() || bounds.second);
  if (!readable || (first.empty() && last.empty())) throw wrong;
  if (bounds.first && bounds.second && *bounds.first > *bounds.second) {
    throw CommandEnd(Exit::wrong, "--id: " + text + " ends before it begins: swap the numbers");
  }
  return bounds;
}

std::int64_t read_time(const char* option, const std::string& text) {
  const Result<WallTime> time = read_moment(text, wall_now());
  if (time.has_error()) throw CommandEnd(Exit::wrong, std::string(option) + ": " + time.error().text());
  return to_millis(*time);
}

/// Calls `use(name, value)` for every limit that requests of both kinds know.
template <class Use>
void each_limit(const FindOptions& options, const Use& use) {
  if (!options.ids.empty()) {
    const Bounds ids = read_ids(options.ids);
    if (ids.first) use("first_id", *ids.first);
    if (ids.second) use("last_id", *ids.second);
  }
  std::optional<std::int64_t> from;
  if (!options.from.empty()) from = read_time("--from", options.from);
  std::optional<std::int64_t> to;
  if (!options.to.empty()) to = read_time("--to", options.to);
  if (from && to && *from >= *to) {
    throw CommandEnd(Exit::wrong, "--from " + options.from + " is not before --to " + options.to +
                                      ": nothing can lie between them");
  }
  if (from) use("from", *from);
  if (to) use("to", *to);
  if (options.chat && !options.key.empty()) {
    throw CommandEnd(Exit::wrong, "--chat and --key: name one of them; --chat 5 is short for --key chat:5");
  }
  if (options.chat) use("key", std::string_view("chat:" + std::to_string(*options.chat)));
  if (!options.key.empty()) use("key", std::string_view(options.key));
  if (!options.kind.empty()) use("kind", std::string_view(options.kind));
  if (!options.reason.empty()) use("reason", std::string_view(options.reason));
}

}  // namespace

void FindOptions::add_queue(CLI::App& command) {
  command.add_option("--queue", queue, "inbox (updates) or outbox (calls)")
      ->check(CLI::IsMember({"inbox", "outbox"}))
      ->capture_default_str();
}

void FindOptions::add_state(CLI::App& command) {
  command.add_option("--state", states, "Only those: several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"pending", "in_flight", "retrying", "held", "dead", "done"}));
}

void FindOptions::add_reason(CLI::App& command) {
  command.add_option("--reason", reason, "Only dead letters with this reason, such as attempts")
      ->type_name("WORD");
}

void FindOptions::add_what(CLI::App& command) {
  command.add_option("--kind", kind, "Only updates of this kind, or calls of this method")->type_name("KIND");
  command.add_option("--chat", chat, "Only those of this chat")->type_name("ID");
  command.add_option("--key", key, "Only those with this ordering key, such as chat:5")->type_name("KEY");
}

void FindOptions::add_when(CLI::App& command) {
  command.add_option("--id", ids, "Only these update_ids: 900, 900-950 or 900-")->type_name("ID[-ID]");
  command
      .add_option("--from,--since", from,
                  "Received then or later: 2h (so long ago), 10:00, yesterday, 2026-11-29T10:00")
      ->type_name("TIME");
  command.add_option("--to,--until", to, "Received before")->type_name("TIME");
}

bool FindOptions::any() const {
  return !states.empty() || !kind.empty() || !key.empty() || chat || !reason.empty() || !ids.empty() ||
         !from.empty() || !to.empty();
}

void FindOptions::put(Target& target) const {
  target.add("queue", queue);
  if (!states.empty()) target.add("state", words::joined(states, ","));
  each_limit(*this, [&target](std::string_view name, auto value) { target.add(name, value); });
}

void FindOptions::put(boost::json::object& body) const {
  each_limit(*this, [&body](std::string_view name, auto value) { body[name] = value; });
}

}  // namespace tgkeep::app
