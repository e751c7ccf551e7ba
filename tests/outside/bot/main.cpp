// A bot outside of tgkeep's own tree: says everything twice.

#include <boost/json.hpp>
#include <string>
#include <tgkeep/gateway.hpp>

namespace json = boost::json;

boost::asio::awaitable<tgkeep::Outcome> twice(tgkeep::Context update) {
  tgkeep::Outcome outcome = tgkeep::Outcome::done();
  if (update.kind() == "message") {
    const json::value body = json::parse(std::string(update.raw()));
    const json::value& message = body.at("message");
    const std::string text(message.at("text").as_string());
    const json::value answer = {{"chat_id", message.at("chat").at("id")}, {"text", text + " " + text}};
    outcome.calls.emplace_back("sendMessage", json::serialize(answer));
  }
  co_return outcome;
}

int main() {
  tgkeep::GatewayOptions options = tgkeep::GatewayOptions::from_environment();
  return tgkeep::Gateway(options, twice).run();
}
