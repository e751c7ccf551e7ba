// Answers each text with the same text. TGKEEP_TOKEN=… ./01_echo

#include <boost/json.hpp>
#include <string>
#include <tgkeep/gateway.hpp>

namespace json = boost::json;
using boost::asio::awaitable;

awaitable<tgkeep::Outcome> echo(tgkeep::Context update) {
  tgkeep::Outcome outcome = tgkeep::Outcome::done();
  const json::value body = json::parse(std::string(update.raw()));
  if (update.kind() == "message" && body.at("message").as_object().contains("text")) {
    const json::value& message = body.at("message");
    const json::value answer = {{"chat_id", message.at("chat").at("id")}, {"text", message.at("text")}};
    outcome.calls.emplace_back("sendMessage", json::serialize(answer));
  }
  co_return outcome;
}

int main() {
  return tgkeep::Gateway(tgkeep::GatewayOptions::from_environment(), echo).run();
}
