#include "app/display/status_view.hpp"

#include <fmt/format.h>

#include "app/display/amounts.hpp"
#include "app/display/bot_words.hpp"
#include "app/display/safe_text.hpp"
#include "app/display/table.hpp"

namespace tgkeep::app {

namespace {

std::string head(const json::value& status) {
  std::string text = "tgkeep " + safe_text(text_at(status, "version"));
  if (!flag_at(status, "live")) return text + " is not running; this is what its files say\n";
  text += " has been running for " + age_text(seconds_at(status, "uptime_s").value_or(0)) + " (process " +
          std::to_string(number_at(status, "pid")) + ")";
  if (flag_at(status, "stopping")) return text + ", " + toned(Tone::attention, "is stopping") + "\n";
  if (!flag_at(status, "receiving")) {
    return text + ", " + toned(Tone::attention, "receives nothing (draining)") + "\n";
  }
  return text + "\n";
}

std::string source_text(const json::value& bot) {
  const json::value& source = member(bot, "source");
  if (source.is_null()) return {};
  std::string text = "from " + safe_text(text_at(source, "kind"));
  if (!flag_at(source, "healthy")) return text + " " + toned(Tone::bad, "(in trouble)");
  if (seconds_at(source, "first_since_s")) return text + " (first poll under way)";
  const auto last = seconds_at(source, "last_success_s");
  return last ? text + " (good " + age_text(*last) + " ago)" : text;
}

std::string target_text(const json::value& bot) {
  const json::value& target = member(bot, "target");
  const std::string kind = safe_text(text_at(target, "kind"));
  if (kind.empty()) return {};
  const json::value& reachable = member(target, "reachable");
  if (!reachable.is_bool()) return "to " + kind;
  if (reachable.get_bool()) return "to " + kind;
  return "to " + kind + " " + toned(Tone::bad, "(unreachable)");
}

Table queues(const json::value& bot) {
  Table table;
  table.column("");
  for (const char* title : {"waiting", "running", "retrying", "held", "done", "dead", "dropped", "stored"}) {
    table.column(title, Align::right);
  }
  table.column("oldest", Align::right);
  table.column("");
  for (const char* name : {"inbox", "outbox"}) {
    const json::value& queue = member(bot, name);
    const auto count = [&queue](const char* what) { return std::to_string(number_at(queue, what)); };
    const auto marked = [](std::int64_t value, Tone tone) {
      return Cell(std::to_string(value), value == 0 ? Tone::plain : tone);
    };
    const auto oldest = seconds_at(queue, "oldest_s");
    table.row(
        {name, count("pending"), count("in_flight"), marked(number_at(queue, "retrying"), Tone::attention),
         marked(number_at(queue, "held"), Tone::attention), count("done"),
         marked(sum_of(member(queue, "dead")), Tone::bad), std::to_string(sum_of(member(queue, "dropped"))),
         count("stored"), oldest ? age_text(*oldest) : std::string("-"),
         flag_at(queue, "paused") ? Cell("paused", Tone::attention) : Cell("")});
  }
  return table;
}

/// What the bot does at the face; "" when it does nothing there.
std::string face_text(const json::value& bot) {
  const json::value& face = member(bot, "face");
  if (face.is_null()) return {};
  std::string text;
  const std::string webhook = safe_text(text_at(face, "own_webhook"));
  const auto last = seconds_at(face, "last_poll_s");
  if (flag_at(face, "pulls") && !webhook.empty()) {
    text += "  face: pushes to its own webhook " + webhook + "\n";
  } else if (flag_at(face, "pulls")) {
    text += "  face: " + std::string(last ? "polled " + age_text(*last) + " ago" : "not polled yet") +
            fmt::format("; {} handed out, {} to fetch, {} unconfirmed, {} restarts\n",
                        number_at(face, "handed_out"), number_at(face, "waiting"),
                        number_at(face, "unconfirmed"), number_at(face, "restarts"));
  }
  const json::value& calls = member(face, "calls");
  const auto count = [&calls](const char* what) { return number_at(calls, what); };
  std::int64_t all = 0;
  for (const char* what :
       {"passed", "refused", "not_sent", "maybe_sent", "held_back", "waiting", "running"}) {
    all += count(what);
  }
  if (all == 0) return text;
  return text +
         fmt::format("  calls: {} passed, {} refused, {} not sent, {} maybe sent, {} held back; {} wait\n",
                     count("passed"), count("refused"), count("not_sent"), count("maybe_sent"),
                     count("held_back"), count("waiting"));
}

/// Sentences about what a person should know.
std::string remarks(const json::value& bot) {
  std::string text;
  const auto remark = [&text](Tone tone, const std::string& sentence) {
    text += "  " + toned(tone, sentence) + "\n";
  };
  const json::value& source = member(bot, "source");
  const std::string problem = safe_text(text_at(source, "problem"));
  if (!problem.empty()) remark(Tone::bad, "source: " + problem);
  for (const char* name : {"inbox", "outbox"}) {
    const json::value& queue = member(bot, name);
    const std::string where = name;
    const std::string dead = safe_text(counts_text(member(queue, "dead")));
    if (!dead.empty()) remark(Tone::bad, where + ": dead letters: " + dead + " (`tgkeep dead ls`)");
    const std::string dropped = safe_text(counts_text(member(queue, "dropped")));
    if (!dropped.empty()) remark(Tone::plain, where + ": dropped: " + dropped);
    if (number_at(queue, "held") > 0) {
      remark(Tone::attention, where + ": calls held for your decision: `tgkeep dead ls --queue outbox`");
    }
    const std::int64_t doubt = number_at(queue, "in_doubt");
    if (doubt > 0) remark(Tone::plain, fmt::format("{}: in doubt so far: {}", where, doubt));
    if (!member(queue, "balanced").is_null() && !flag_at(queue, "balanced")) {
      remark(Tone::bad, where + ": the totals do not add up: `tgkeep check`");
    }
    const json::value& runner = member(queue, "runner");
    if (flag_at(runner, "stuck_pause")) {
      remark(Tone::bad, where + ": too many handlers are stuck past their timeout: delivery pauses");
    } else if (number_at(runner, "stuck") > 0) {
      remark(Tone::attention,
             fmt::format("{}: stuck past their timeout: {}", where, number_at(runner, "stuck")));
    }
    if (number_at(runner, "flooded") > 0) {
      remark(Tone::attention, fmt::format("{}: wait because the receiver said so (429): {}", where,
                                          number_at(runner, "flooded")));
    }
  }
  if (nobody_polls(bot)) {
    remark(Tone::bad,
           "face: updates wait and the bot does not fetch them: is it running, with tgkeep's API root?");
  }
  if (number_at(member(member(bot, "face"), "calls"), "flooded") > 0) {
    remark(Tone::attention, fmt::format("face: chats whose calls wait because Telegram said so (429): {}",
                                        number_at(member(member(bot, "face"), "calls"), "flooded")));
  }
  if (flag_at(member(bot, "store"), "full")) {
    remark(Tone::bad, "store: no room left above the reserve: new updates are refused; free disk space");
  }
  return text;
}

std::string disk(const json::value& bot) {
  const json::value& store = member(bot, "store");
  const auto bytes = [&store](const char* name) {
    return bytes_text(static_cast<std::uint64_t>(number_at(store, name)));
  };
  std::string text = "  disk: queues " + bytes("file_bytes") + ", WAL " + bytes("wal_bytes") + ", history " +
                     bytes("history_bytes");
  if (member(store, "disk_free").is_number()) text += "; free " + bytes("disk_free");
  return text + "\n";
}

std::string block(const json::value& bot) {
  std::string text = "\n" + safe_text(bot_name(bot));
  for (const std::string& part : {source_text(bot), target_text(bot)}) {
    if (!part.empty()) text += "  " + part;
  }
  const std::string folder = safe_text(text_at(bot, "folder"));
  if (!folder.empty()) text += "  in " + folder;
  text += "\n" + queues(bot).text() + face_text(bot);
  if (!text_at(bot, "folder").empty()) text += disk(bot);
  return text + remarks(bot);
}

}  // namespace

std::string status_text(const json::value& status, const std::string& only) {
  std::string text = head(status);
  for (const json::value& bot : list_at(status, "bots")) {
    if (is_meant(bot, only)) text += block(bot);
  }
  return text;
}

bool has_bot(const json::value& status, const std::string& bot) {
  for (const json::value& known : list_at(status, "bots")) {
    if (is_meant(known, bot)) return true;
  }
  return false;
}

std::int64_t unsettled(const json::value& status, const std::string& only) {
  std::int64_t count = 0;
  for (const json::value& bot : list_at(status, "bots")) {
    if (!is_meant(bot, only)) continue;
    for (const char* name : {"inbox", "outbox"}) {
      for (const char* state : {"pending", "in_flight", "retrying"}) {
        count += number_at(member(bot, name), state);
      }
    }
  }
  return count;
}

}  // namespace tgkeep::app
