#include "emulator/control/control.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "emulator/people/actions.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

constexpr std::string_view root = "/control/";
constexpr std::chrono::seconds longest_wait{300};

/// From the query string, or from a JSON body; nothing when that is no object.
std::optional<json::object> read(const http::ServerRequest& request) {
  if (!request.body.empty()) return parse_object(request.body);
  telegram::Params params;
  const std::size_t question = request.target.find('?');
  if (question != std::string::npos)
    telegram::add_form(params, std::string_view(request.target).substr(question + 1));
  json::object object;
  for (const auto& [name, value] : params.values()) object[name] = json_text(value);
  return object;
}

const NamedRequest* find_request(std::string_view path) {
  for (const auto list :
       {making_requests(), reading_requests(), update_requests(), clock_requests(), fault_requests()}) {
    for (const NamedRequest& request : list) {
      if (request.path == path) return &request;
    }
  }
  return nullptr;
}

Answer to_answer(const Checked<json::value>& result) {
  return result ? Answer::ok(json::serialize(*result)) : result.error().answer();
}

Checked<json::value> save_snapshot(Desk& desk, const json::object& request) {
  json::object saved = desk.server.save();
  desk.snapshots[std::string(string_in(request, "name"))] = saved;
  return json::value(std::move(saved));
}

}  // namespace

Control::Control(const asio::any_io_executor& loop, BotServer& server, SteerableClock& clock)
    : desk_(server, clock), real_(loop) {
  server.set_faults([this](const CallRecord& call) { return desk_.faults.decide(call); });
  server.set_early_faults([this](std::string_view method) { return desk_.faults.decide_early(method); });
  server.set_webhook_faults([this](const WebhookRecord& record) { return desk_.faults.decide(record); });
  World& world = server.world();
  world.after_shipping = [this](const PendingQuery& query, WallTime) {
    Stage stage = desk_.stage();
    go_on_after_shipping(stage, query);
  };
  world.after_checkout = [this](const PendingQuery& query, WallTime) {
    Stage stage = desk_.stage();
    go_on_after_checkout(stage, query);
  };
}

asio::awaitable<http::ServerReply> Control::handle(http::ServerRequest request) {
  std::string path = telegram::percent_decoded(request.target.substr(0, request.target.find('?')), false);
  path.erase(0, root.size());
  std::optional<json::object> body = read(request);
  if (!body) co_return Answer::error(400, "Bad Request: the body is no JSON object").reply();
  json::object object = *std::move(body);
  const Checked<json::value> result = co_await perform(std::move(path), std::move(object));
  co_return to_answer(result).reply();
}

asio::awaitable<Checked<json::value>> Control::perform(std::string path, json::object request) {
  if (path == "calls") {
    Checked<json::value> calls = co_await wait_for_calls(std::move(request));
    co_return calls;
  }
  if (path == "snapshot") co_return save_snapshot(desk_, request);
  if (path == "restore") {
    Checked<json::value> restored = co_await restore(std::move(request));
    co_return restored;
  }
  if (path == "reset") {
    desk_.faults = FaultPlan();
    co_await desk_.server.reset();
    co_return Checked<json::value>(json::value(true));
  }
  if (const NamedRequest* named = find_request(path)) co_return named->perform(desk_, request);
  if (const NamedAction* action = find_action(path)) {
    Stage stage = desk_.stage();
    const Checked<Deed> deed = action->perform(stage, request);
    if (!deed) co_return deed.error();
    co_return Checked<json::value>(json::value(deed->shown()));
  }
  Refusal unknown("there is no control request /control/" + path + "; docs/emulator.md lists them");
  unknown.code = 404;
  co_return unknown;
}

json::array Control::calls_meant(const json::object& request) const {
  json::array shown;
  for (const CallRecord& call : desk_.server.calls()) {
    if (is_meant(call, request)) shown.push_back(show_call(call));
  }
  return shown;
}

/// Waits up to `wait` seconds (real ones) until there are `count`.
asio::awaitable<Checked<json::value>> Control::wait_for_calls(json::object request) {
  const std::chrono::seconds wait(
      std::clamp<std::int64_t>(number_in(request, "wait"), 0, longest_wait.count()));
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(number_in(request, "count", 1), 0));
  const MonoTime until = real_.mono() + wait;
  json::array shown = calls_meant(request);
  while (shown.size() < count && real_.mono() < until) {
    co_await desk_.server.calls_changed().wait_until(real_, until);
    shown = calls_meant(request);
  }
  co_return Checked<json::value>(json::value(std::move(shown)));
}

/// A snapshot by `name`, or as a `snapshot` object.
asio::awaitable<Checked<json::value>> Control::restore(json::object request) {
  json::object saved;
  if (const json::object* given = object_in(request, "snapshot")) {
    saved = *given;
  } else {
    const auto found = desk_.snapshots.find(std::string(string_in(request, "name")));
    if (found == desk_.snapshots.end()) co_return Refusal("name: there is no snapshot of this name");
    saved = found->second;
  }
  const bool whole = object_in(saved, "world") != nullptr && array_in(saved, "bots") != nullptr;
  if (!whole) co_return Refusal("snapshot: this is none");
  co_await desk_.server.load(std::move(saved));
  co_return Checked<json::value>(json::value(true));
}

}  // namespace tgkeep::emulator
