#include "app/display/item_view.hpp"

#include <fmt/format.h>

#include "app/display/amounts.hpp"
#include "app/display/body_text.hpp"
#include "app/display/bot_words.hpp"
#include "app/display/safe_text.hpp"
#include "app/display/table.hpp"

namespace tgkeep::app {

namespace {

std::string first_key(const json::value& item) {
  const json::array& keys = list_at(item, "keys");
  if (keys.empty() || !keys.front().is_string()) return {};
  std::string text(keys.front().get_string());
  return keys.size() == 1 ? text : text + " +" + std::to_string(keys.size() - 1);
}

std::string all_keys(const json::value& item) {
  std::string text;
  for (const json::value& key : list_at(item, "keys")) {
    if (key.is_string()) text += (text.empty() ? "" : ", ") + std::string(key.get_string());
  }
  return text;
}

std::string number_text(const json::value& item, const char* name) {
  const std::int64_t number = number_at(item, name);
  return number == 0 ? std::string() : std::to_string(number);
}

std::string failures_text(const json::value& item) {
  std::string text = number_text(item, "attempts");
  const std::int64_t crashes = number_at(item, "crashes");
  if (crashes > 0) text += (text.empty() ? "" : " + ") + fmt::format("{} crashed", crashes);
  return text;
}

std::string note(const json::value& item) {
  const std::string corrupt = text_at(item, "corrupt");
  return corrupt.empty() ? text_at(item, "error") : "CORRUPT: " + corrupt;
}

class Lines {
 public:
  void add(const char* name, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("  {:<10}  {}\n", name, safe_text(value));
  }
  void add_time(const char* name, const json::value& item, const char* member, WallTime now) {
    const auto time = time_at(item, member);
    if (!time) return;
    const double seconds = std::chrono::duration<double>(now - *time).count();
    add(name, moment_text(*time) +
                  (seconds >= 0 ? " (" + age_text(seconds) + " ago)" : " (in " + age_text(-seconds) + ")"));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string items_text(const json::array& items, WallTime now) {
  Table table;
  table.column("seq", Align::right);
  table.column("state");
  table.column("update_id", Align::right);
  table.column("run", Align::right);
  table.column("kind");
  table.column("key");
  table.column("age", Align::right);
  table.column("failed", Align::right);
  table.column("error");
  for (const json::value& item : items) {
    table.row({std::to_string(number_at(item, "seq")), state_cell(item),
               std::to_string(number_at(item, "update_id")), number_text(item, "run"), text_at(item, "kind"),
               first_key(item), ago_text(item, "received_at", now), failures_text(item), note(item)});
  }
  return table.text();
}

std::string item_text(const json::value& item, WallTime now) {
  const Cell state = state_cell(item);
  std::string text = fmt::format("{} {}  {}\n", safe_text(text_at(item, "queue")), number_at(item, "seq"),
                                 toned(state.tone, state.text));
  const bool is_call = text_at(item, "queue") == "outbox";
  Lines lines;
  lines.add("update_id", std::to_string(number_at(item, "update_id")));
  lines.add(is_call ? "method" : "kind", text_at(item, "kind"));
  lines.add("keys", all_keys(item));
  lines.add("run", number_text(item, "run"));
  if (number_at(item, "earlier") > 0) lines.add("run before", "inbox " + number_text(item, "earlier"));
  if (is_call) {
    lines.add("left by",
              fmt::format("inbox {}, its call {}", number_at(item, "origin"), number_at(item, "call")));
  }
  lines.add_time("received", item, "received_at", now);
  lines.add_time("due", item, "due_at", now);
  lines.add_time("started", item, "started_at", now);
  lines.add_time("ended", item, "ended_at", now);
  lines.add("starts", number_text(item, "starts"));
  lines.add("failed", failures_text(item));
  lines.add("error", text_at(item, "error"));
  lines.add("corrupt", text_at(item, "corrupt"));
  text += lines.text();
  const std::string body = text_at(item, "body");
  if (!body.empty()) text += body_text(body, "  ");
  return text;
}

std::string trace_text(const json::value& trace) {
  std::string text;
  for (const json::value& run : list_at(trace, "runs")) {
    const json::value& item = member(run, "item");
    const WallTime received = time_at(item, "received_at").value_or(WallTime());
    const auto since = [received](std::optional<WallTime> time) -> std::string {
      if (!time) return "";
      return "+" + age_text(std::chrono::duration<double>(*time - received).count());
    };
    const Cell state = state_cell(item);
    text += fmt::format("{}update {}, {}, {}  inbox {}, run {}: {}\n", text.empty() ? "" : "\n",
                        number_at(trace, "update_id"), safe_text(text_at(item, "kind")),
                        safe_text(all_keys(item)), number_at(item, "seq"), number_at(item, "run"),
                        toned(state.tone, state.text));
    Table table;
    table.column("", Align::right);
    table.column("");
    table.row({moment_text(received),
               number_at(item, "run") == 0 ? "received and stored" : "put back to the tail"});
    for (const json::value& handout : list_at(run, "handouts")) {
      table.row({since(time_at(handout, "at")),
                 fmt::format("handed out as update_id {}", number_at(handout, "seen_as"))});
    }
    for (const json::value& failure : list_at(run, "failures")) {
      table.row({since(time_at(failure, "at")),
                 Cell(fmt::format("attempt {} failed: {}", number_at(failure, "attempt"),
                                  text_at(failure, "error")),
                      Tone::attention)});
    }
    const auto started = time_at(item, "started_at");
    if (started) table.row({since(started), "started"});
    const auto ended = time_at(item, "ended_at");
    if (ended) {
      std::string what = state.text;
      if (text_at(item, "state") == "dead") what += ": " + text_at(item, "error");
      table.row({since(ended), Cell(what, state.tone)});
    } else if (const auto due = time_at(item, "due_at")) {
      table.row({since(due), "due again"});
    }
    for (const json::value& call : list_at(run, "calls")) {
      const Cell call_state = state_cell(call);
      const auto settled = time_at(call, "ended_at");
      std::string what = fmt::format("call {} {} (outbox {}): {}", number_at(call, "call"),
                                     text_at(call, "kind"), number_at(call, "seq"), call_state.text);
      const std::string error = text_at(call, "error");
      if (!error.empty()) what += ": " + error;
      table.row({since(settled), Cell(what, call_state.tone)});
    }
    // Without its titles, which are empty.
    const std::string lines = table.text(0);
    text += lines.substr(lines.find('\n') + 1);
    const std::string corrupt = text_at(item, "corrupt");
    if (!corrupt.empty()) text += toned(Tone::bad, "corrupt: " + safe_text(corrupt)) + "\n";
    const std::string body = text_at(item, "body");
    if (!body.empty()) text += body_text(body, "  ");
  }
  return text;
}

}  // namespace tgkeep::app
