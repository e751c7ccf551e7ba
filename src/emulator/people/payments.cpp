// Paying an invoice: shipping query (when the price depends on it), pre-checkout query, payment.

#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/people/actions.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::chrono::seconds checkout_time{10};

/// Sends a query of that kind and keeps what its answer leads to.
void ask(Stage& stage, Deed& deed, std::string_view kind, std::int64_t bot, json::object content,
         json::object context) {
  PendingQuery query;
  query.kind = kind;
  query.bot = bot;
  query.until = stage.now + checkout_time;
  query.content = content;
  query.context = std::move(context);
  content["id"] = stage.world.queries.add(std::move(query));
  for (const BotAccount* account : stage.bots) {
    if (account->id.value() == bot) stage.tell(deed, *account, kind, content);
  }
}

json::object address() {
  return json::object{{"country_code", "DE"},       {"state", ""},        {"city", "Berlin"},
                      {"street_line1", "Street 1"}, {"street_line2", ""}, {"post_code", "10115"}};
}

void check_out(Stage& stage, Deed& deed, std::int64_t bot, const json::object& context) {
  json::object content;
  content["id"] = "";
  for (const char* name : {"from", "currency", "total_amount", "invoice_payload"})
    content[name] = context.at(name);
  ask(stage, deed, "pre_checkout_query", bot, std::move(content), context);
}

Checked<Deed> pay(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const auto has_invoice = [](const json::object& message) { return message.contains("invoice"); };
  const Checked<json::object*> message = find_target(stage, *scene, request, has_invoice, "invoice");
  if (!message) return message.error();
  const std::int64_t bot = scene->bots.front()->id.value();
  const auto terms =
      stage.world.invoices.find(World::Place(bot, scene->chat, number_in(**message, "message_id")));
  const json::object& invoice = *object_in(**message, "invoice");
  json::object context;
  context["user"] = scene->user;
  context["chat"] = scene->chat;
  context["from"] = stage.world.directory.user(scene->user).profile;
  context["currency"] = invoice.at("currency");
  context["total_amount"] = invoice.at("total_amount");
  context["invoice_payload"] =
      terms == stage.world.invoices.end() ? json::value("") : terms->second.at("payload");
  Deed deed;
  const bool flexible = terms != stage.world.invoices.end() && flag_in(terms->second, "is_flexible");
  if (!flexible) {
    check_out(stage, deed, bot, context);
    return deed;
  }
  json::object content;
  content["id"] = "";
  content["from"] = context.at("from");
  content["invoice_payload"] = context.at("invoice_payload");
  content["shipping_address"] = address();
  ask(stage, deed, "shipping_query", bot, std::move(content), std::move(context));
  return deed;
}

constexpr std::array actions = {NamedAction("pay", pay)};

}  // namespace

void go_on_after_shipping(Stage& stage, const PendingQuery& query) {
  Deed deed;
  check_out(stage, deed, query.bot, query.context);
}

void go_on_after_checkout(Stage& stage, const PendingQuery& query) {
  json::object request;
  request["user"] = query.context.at("user");
  request["chat"] = query.context.at("chat");
  request["bot"] = query.bot;
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return;
  json::object payment;
  for (const char* name : {"currency", "total_amount", "invoice_payload"})
    payment[name] = query.context.at(name);
  const std::string number(string_in(query.content, "id"));
  payment["telegram_payment_charge_id"] = "telegram" + number;
  payment["provider_payment_charge_id"] = "provider" + number;
  json::object content;
  content["successful_payment"] = std::move(payment);
  write_message(stage, *scene, content, request);
}

std::span<const NamedAction> payment_actions() noexcept {
  return actions;
}

const NamedAction* find_action(std::string_view name) noexcept {
  for (const auto list : {writing_actions(), button_actions(), member_actions(), payment_actions()}) {
    for (const NamedAction& action : list) {
      if (action.name == name) return &action;
    }
  }
  return nullptr;
}

}  // namespace tgkeep::emulator
