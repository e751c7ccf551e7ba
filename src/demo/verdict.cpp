#include "demo/verdict.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <string_view>

namespace tgkeep::demo {

namespace {

class Judge {
 public:
  void expect(bool good, std::string wrong) {
    if (!good) wrong_.push_back(std::move(wrong));
  }
  void zero(std::string_view name, std::int64_t value, std::string_view meaning) {
    if (value == 0) return;
    std::string text = std::string(name) + " is " + std::to_string(value) + ", must be 0: ";
    wrong_.push_back(text.append(meaning));
  }
  void equal(std::string_view name, std::int64_t value, std::string_view other_name, std::int64_t other) {
    if (value == other) return;
    std::string text = std::string(name) + " is " + std::to_string(value) + ", must equal ";
    wrong_.push_back(text.append(other_name) + ", which is " + std::to_string(other));
  }
  void at_most(std::string_view name, std::int64_t value, std::string_view bound_name, std::int64_t bound) {
    if (value <= bound) return;
    std::string text = std::string(name) + " is " + std::to_string(value) + ", must be at most ";
    wrong_.push_back(text.append(bound_name) + ", which is " + std::to_string(bound));
  }
  std::vector<std::string> wrong() && { return std::move(wrong_); }

 private:
  std::vector<std::string> wrong_;
};

class Table {
 public:
  void row(std::string_view name, std::int64_t value, std::string_view meaning) {
    const std::string number = std::to_string(value);
    text_.append("  ").append(name).append(name_width - std::min(name_width, name.size()), ' ');
    text_.append(number_width - std::min(number_width, number.size()), ' ').append(number);
    text_.append("  ").append(meaning).append("\n");
  }
  std::string text() && { return std::move(text_); }

 private:
  static constexpr std::size_t name_width = 16;
  static constexpr std::size_t number_width = 9;
  std::string text_;
};

}  // namespace

Figures gather(const Checker& checker, const StoreFigures& store) {
  Figures figures;
  figures.sent = checker.sent();
  figures.handled = checker.handled();
  figures.repeated = checker.repeated();
  figures.lost = checker.lost();
  figures.out_of_order = checker.out_of_order();
  figures.stale = checker.stale();
  figures.calls = checker.calls();
  figures.calls_lost = checker.calls_lost();
  figures.calls_repeated = checker.calls_repeated();
  figures.max_parallel = checker.max_parallel();
  figures.stored = store.stored;
  figures.duplicates = store.duplicates;
  figures.done = store.done;
  figures.dead = store.dead;
  figures.in_doubt = store.in_doubt;
  return figures;
}

std::string to_json(const Figures& figures) {
  boost::json::object line;
  line["sent"] = figures.sent;
  line["stored"] = figures.stored;
  line["duplicates"] = figures.duplicates;
  line["handled"] = figures.handled;
  line["repeated"] = figures.repeated;
  line["lost"] = figures.lost;
  line["out_of_order"] = figures.out_of_order;
  line["stale"] = figures.stale;
  line["dead"] = figures.dead;
  line["calls"] = figures.calls;
  line["calls_lost"] = figures.calls_lost;
  line["calls_repeated"] = figures.calls_repeated;
  line["in_doubt"] = figures.in_doubt;
  line["kills"] = figures.kills;
  line["kills_in_flight"] = figures.kills_in_flight;
  line["max_parallel"] = figures.max_parallel;
  // In milliseconds as text, since Boost.JSON writes doubles as 1.2345E1.
  const auto millis = static_cast<std::int64_t>(std::llround(figures.seconds * 1000));
  std::string json = boost::json::serialize(line);
  json.pop_back();
  std::string fraction = std::to_string(millis % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  json += ",\"seconds\":" + std::to_string(millis / 1000) + '.' + fraction;
  json += ",\"seed\":" + std::to_string(figures.seed) + '}';
  return json;
}

std::string to_table(const Figures& figures) {
  Table table;
  table.row("sent", figures.sent, "updates Telegram (the emulator) had for the bot");
  table.row("stored", figures.stored, "updates in the store");
  table.row("duplicates", figures.duplicates, "updates received again and recognised");
  table.row("handled", figures.handled, "updates the handler finished");
  table.row("repeated", figures.repeated,
            "handler starts after the first, because a kill cut the one before");
  table.row("lost", figures.lost, "updates the handler never finished");
  table.row("out_of_order", figures.out_of_order, "starts or calls against the order of their chat");
  table.row("stale", figures.stale, "requests of a killed process that the receiver was still at");
  table.row("dead", figures.dead, "dead letters");
  table.row("calls", figures.calls, "sendMessage calls that arrived");
  table.row("calls_lost", figures.calls_lost, "updates whose call never arrived");
  table.row("calls_repeated", figures.calls_repeated, "calls that arrived more than once");
  table.row("in_doubt", figures.in_doubt, "calls cut off by a kill, so nobody knows whether they arrived");
  table.row("kills", figures.kills, "times the process was killed (SIGKILL) and started again");
  table.row("kills_in_flight", figures.kills_in_flight, "of these, while handlers were running");
  table.row("max_parallel", figures.max_parallel, "handlers running at once, at most");
  return std::move(table).text();
}

std::vector<std::string> judge(const Figures& figures, const Plan& plan) {
  Judge judge;
  judge.zero("lost", figures.lost, "updates were never handled to the end");
  judge.zero("out_of_order", figures.out_of_order, "the order within a chat was broken");
  judge.zero("dead", figures.dead, "the handler never fails here, so nothing may be dead-lettered");
  judge.zero("calls_lost", figures.calls_lost, "calls that handlers left to the outbox never arrived");
  judge.equal("handled", figures.handled, "sent", figures.sent);
  judge.equal("stored", figures.stored, "sent", figures.sent);
  judge.equal("done (in the store)", figures.done, "sent", figures.sent);
  judge.at_most("calls_repeated", figures.calls_repeated, "in_doubt", figures.in_doubt);
  judge.at_most("in_doubt", figures.in_doubt, "the calls in flight at the kills", figures.calls_in_flight);
  judge.equal("kills", figures.kills, "the kills asked for", plan.kills);
  judge.equal("kills_in_flight", figures.kills_in_flight, "kills", figures.kills);
  const std::int64_t parallel = std::min({std::int64_t{100}, figures.sent / 50, plan.chats / 2});
  judge.at_most("the least of 100, sent / 50 and chats / 2", parallel, "max_parallel", figures.max_parallel);
  // Every delivery that was acknowledged has been put; nothing else can have been.
  judge.at_most("the number of acknowledged deliveries", figures.deliveries.acknowledged,
                "stored + duplicates", figures.stored + figures.duplicates);
  judge.at_most("stored + duplicates", figures.stored + figures.duplicates, "the number of deliveries",
                figures.deliveries.delivered);
  return std::move(judge).wrong();
}

}  // namespace tgkeep::demo
