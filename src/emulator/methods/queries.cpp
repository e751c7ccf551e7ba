// Answers to queries: each is known for as long as the server waits for it.

#include <array>

#include "emulator/methods/registry.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::string_view too_old = "query is too old and response timeout expired or query ID is invalid";

/// Nothing is open under that id: refused, unless the world is not strict.
template <class Answered>
Answer answer(Call& call, std::string_view kind, std::string_view name, Answered answered) {
  PendingQuery* query = call.world.queries.find(call.bot_id(), kind, call.text(name), call.now);
  if (query == nullptr && call.world.strict) return Refusal(too_old).answer();
  if (query != nullptr) answered(*query);
  return answer_with(call.synthesis().result(call.spec));
}

Answer answer_callback(Call& call) {
  return answer(call, "callback_query", "callback_query_id", [](PendingQuery&) {});
}

Answer answer_inline(Call& call) {
  return answer(call, "inline_query", "inline_query_id", [&](PendingQuery& query) {
    query.context["results"] = parse_json(call.text("results")).value_or(json::array());
  });
}

Answer answer_shipping(Call& call) {
  return answer(call, "shipping_query", "shipping_query_id", [&](PendingQuery& query) {
    const bool ok = call.params.flag("ok");
    if (ok) call.world.after_shipping(query, call.now);
    call.world.queries.erase(call.text("shipping_query_id"));
  });
}

/// A yes completes the payment: the bot gets successful_payment.
Answer answer_checkout(Call& call) {
  return answer(call, "pre_checkout_query", "pre_checkout_query_id", [&](PendingQuery& query) {
    const PendingQuery answered = query;
    call.world.queries.erase(call.text("pre_checkout_query_id"));
    if (call.params.flag("ok")) call.world.after_checkout(answered, call.now);
  });
}

constexpr std::array methods = {
    NamedMethod("answerCallbackQuery", answer_callback),
    NamedMethod("answerInlineQuery", answer_inline),
    NamedMethod("answerShippingQuery", answer_shipping),
    NamedMethod("answerPreCheckoutQuery", answer_checkout),
};

}  // namespace

std::span<const NamedMethod> query_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
