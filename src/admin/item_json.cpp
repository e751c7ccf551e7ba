#include "admin/item_json.hpp"

#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

json::value millis_json(const std::optional<WallTime>& time) {
  return time ? json::value(to_millis(*time)) : json::value(nullptr);
}

json::object item_json(const StoredItem& item, bool with_body) {
  json::object shown;
  shown["queue"] = to_string(item.queue);
  shown["seq"] = item.seq.value();
  shown["state"] = to_string(item.state);
  shown["bot"] = item.bot.value();
  shown["update_id"] = item.update_id.value();
  shown["run"] = item.run;
  shown["earlier"] = item.earlier.value();
  shown["origin"] = item.origin.value();
  shown["call"] = item.call;
  shown["kind"] = as_text(item.kind);
  json::array keys;
  for (const std::string& key : item.keys) keys.emplace_back(as_text(key));
  shown["keys"] = std::move(keys);
  shown["reason"] = as_text(item.reason);
  shown["error"] = as_text(item.error);
  shown["attempts"] = item.attempts;
  shown["crashes"] = item.crashes;
  shown["starts"] = item.starts;
  shown["received_at"] = to_millis(item.received);
  shown["due_at"] = nullptr;
  if (item.due != WallTime()) shown["due_at"] = to_millis(item.due);
  shown["started_at"] = millis_json(item.started);
  shown["ended_at"] = millis_json(item.ended);
  shown["corrupt"] = as_text(item.corrupt);
  shown["body"] = nullptr;
  if (with_body) shown["body"] = as_text(item.body);
  return shown;
}

json::object page_json(const ItemPage& page, bool with_bodies) {
  json::array items;
  for (const StoredItem& item : page.items) items.push_back(item_json(item, with_bodies));
  json::object shown;
  shown["items"] = std::move(items);
  shown["next"] = nullptr;
  if (page.next) shown["next"] = page.next->value();
  return shown;
}

json::object trace_json(UpdateId id, const std::vector<ItemTrace>& runs) {
  json::array shown_runs;
  for (const ItemTrace& run : runs) {
    json::array failures;
    for (const FailedAttempt& failed : run.failures) {
      json::object failure;
      failure["attempt"] = failed.attempt;
      failure["at"] = to_millis(failed.at);
      failure["error"] = as_text(failed.error);
      failures.push_back(std::move(failure));
    }
    json::array handouts;
    for (const Handout& handout : run.handouts) {
      json::object handed_out;
      handed_out["id"] = handout.id.value();
      handed_out["seen_as"] = tgkeep::shown(handout.id);
      handed_out["at"] = to_millis(handout.at);
      handouts.push_back(std::move(handed_out));
    }
    json::array calls;
    for (const StoredItem& call : run.calls) calls.push_back(item_json(call, true));
    json::object shown;
    shown["item"] = item_json(run.item, true);
    shown["failures"] = std::move(failures);
    shown["handouts"] = std::move(handouts);
    shown["calls"] = std::move(calls);
    shown_runs.push_back(std::move(shown));
  }
  json::object trace;
  trace["update_id"] = id.value();
  trace["runs"] = std::move(shown_runs);
  return trace;
}

json::object lane_json(const BusyLane& lane, const std::string& key) {
  json::object shown;
  shown["key"] = as_text(key);
  shown["head"] = lane.head.value();
  shown["waiting"] = lane.waiting;
  shown["attempts"] = lane.attempts;
  shown["running_s"] = nullptr;
  if (lane.running) shown["running_s"] = seconds(*lane.running);
  shown["due_s"] = nullptr;
  if (lane.due) shown["due_s"] = seconds(*lane.due);
  return shown;
}

json::object flight_json(const InFlight& flight) {
  json::object shown;
  shown["seq"] = flight.seq.value();
  shown["update_id"] = flight.update_id.value();
  shown["kind"] = as_text(flight.kind);
  shown["key"] = as_text(flight.key);
  shown["attempt"] = flight.attempt;
  shown["running_s"] = seconds(flight.running);
  shown["stuck"] = flight.stuck;
  return shown;
}

}  // namespace tgkeep::admin
