#include "app/built_in_handlers.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace tgkeep::app {

namespace json = boost::json;

namespace {

asio::awaitable<Outcome> echo(Context context) {
  Outcome outcome = Outcome::done();
  const json::value update = json::parse(json::string_view(context.raw().data(), context.raw().size()));
  const json::value* message = update.as_object().if_contains("message");
  const json::value* text = message == nullptr ? nullptr : message->as_object().if_contains("text");
  if (text != nullptr) {
    json::object params;
    params["chat_id"] = message->at("chat").at("id");
    params["text"] = *text;
    outcome.calls.emplace_back("sendMessage", json::serialize(params));
  }
  co_return outcome;
}

asio::awaitable<Outcome> write_line(Log log, Context context) {
  log.info("update", {{"update_id", context.update_id().value()},
                      {"kind", context.kind()},
                      {"attempt", context.attempt()},
                      {"repeated", context.repeated()},
                      {"late", context.late()}});
  co_return Outcome::done();
}

}  // namespace

Handler echo_handler() {
  return echo;
}

Handler log_handler(Log log) {
  return [log = std::move(log)](Context context) { return write_line(log, context); };
}

}  // namespace tgkeep::app
