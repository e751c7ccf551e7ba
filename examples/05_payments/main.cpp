// Counts money, exactly: whenever it is killed, each payment is credited once. TGKEEP_TOKEN=… ./05_payments
//
// Three things make it exact. What a payment changes is written with `set_state`, in the one transaction that
// also says the update is done. Payments that write the same rows are handled one after another, because
// `payment_keys` gives them a key in common. And a payment that Telegram reports twice, in two updates, is
// known by its charge id.

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <tgkeep/gateway.hpp>
#include <vector>

namespace json = boost::json;
using boost::asio::awaitable;

// The message of a successful payment, or an empty object.
json::object paid_message(std::string_view kind, std::string_view raw) {
  if (kind != "message" || raw.find("successful_payment") == std::string_view::npos) return {};
  json::object message = json::parse({raw.data(), raw.size()}).at("message").as_object();
  return message.contains("successful_payment") ? message : json::object();
}

std::string text(const json::value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::serialize(value);
}

// Besides its chat's, the key of each row that a payment writes: its account and the total of its currency.
std::vector<std::string> payment_keys(const tgkeep::Update& update) {
  std::vector<std::string> keys;
  for (const tgkeep::OrderingKey& key : update.keys) keys.push_back(key.text());
  const json::object message = paid_message(update.kind, update.raw);
  if (message.empty()) return keys;
  keys.push_back("account:" + text(message.at("from").at("id")));
  keys.push_back("total:" + text(message.at("successful_payment").at("currency")));
  return keys;
}

// Adds to a number of the bot's state.
awaitable<void> add(tgkeep::Context update, std::string space, std::string key, std::int64_t amount) {
  const auto before = co_await update.state(space, key);
  const std::int64_t sum = (before ? std::stoll(*before) : 0) + amount;
  update.set_state(space, key, std::to_string(sum));
}

awaitable<void> credit(tgkeep::Context update, json::object message) {
  const json::value payment = message.at("successful_payment");
  const std::string charge = text(payment.at("telegram_payment_charge_id"));
  const auto credited = co_await update.state("charge", charge);
  if (credited) co_return;
  const std::string account = text(message.at("from").at("id"));
  const std::string currency = text(payment.at("currency"));
  const std::int64_t amount = payment.at("total_amount").to_number<std::int64_t>();
  co_await add(update, "account", account + " " + currency, amount);
  co_await add(update, "total", currency, amount);
  co_await add(update, "payments", currency, 1);
  update.set_state("charge", charge, account);
  const json::value thanks = {{"chat_id", message.at("chat").at("id")}, {"text", "Thank you! " + charge}};
  update.leave("sendMessage", json::serialize(thanks));
}

awaitable<tgkeep::Outcome> handle(tgkeep::Context update) {
  if (update.kind() == "pre_checkout_query") {
    // Telegram waits 10 s for this.
    const json::value query = json::parse(std::string(update.raw())).at("pre_checkout_query");
    const json::value answer = {{"pre_checkout_query_id", query.at("id")}, {"ok", true}};
    update.leave("answerPreCheckoutQuery", json::serialize(answer));
  }
  json::object message = paid_message(update.kind(), update.raw());
  if (!message.empty()) co_await credit(update, std::move(message));
  co_return tgkeep::Outcome::done();
}

int main() {
  tgkeep::GatewayOptions options = tgkeep::GatewayOptions::from_environment();
  options.sequentialize = payment_keys;
  return tgkeep::Gateway(options, handle).run();
}
