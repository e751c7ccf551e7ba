#include "emulator/webhook_methods.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "emulator/get_updates.hpp"

namespace tgkeep::emulator {

using telegram::Params;
using telegram::WebhookRefusal;
using telegram::WebhookRules;

namespace asio = boost::asio;

namespace {

constexpr Duration least_pause = std::chrono::seconds(1);
constexpr std::string_view terminated_text = "Conflict: terminated by setWebhook request";
constexpr std::string_view replaced_text = "Conflict: terminated by other setWebhook";
constexpr auto tuple = asio::as_tuple(asio::use_awaitable);

using Settled = boost::system::result<WebhookSettings, WebhookRefusal>;

/// Fills in the address, unless it was given.
asio::awaitable<Settled> resolve(WebhookSettings settings, WebhookRules rules) {
  if (!settings.address.empty()) co_return settings;
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::ip::tcp::resolver resolver(executor);
  const std::string port = std::to_string(settings.url.port);
  const auto [error, found] = co_await resolver.async_resolve(settings.url.host, port, tuple);
  if (error || found.empty()) {
    co_return WebhookRefusal::bad_webhook("Failed to resolve host: " + error.message());
  }
  settings.address = found.begin()->endpoint().address().to_string();
  const bool cloud = rules == WebhookRules::cloud;
  if (const auto reason = telegram::refuse_address(settings.address, cloud))
    co_return WebhookRefusal::bad_webhook(*reason);
  co_return settings;
}

asio::awaitable<Settled> settle(const Params& params, WebhookRules rules) {
  Settled settings = read_webhook_settings(params, rules);
  if (!settings) co_return settings.error();
  WebhookSettings taken = *std::move(settings);
  Settled resolved = co_await resolve(std::move(taken), rules);
  co_return resolved;
}

void forget(WebhookState& webhook) {
  webhook.settings.reset();
  webhook.error_date.reset();
  webhook.error_message.clear();
}

}  // namespace

asio::awaitable<void> close_webhook(BotAccount& account) {
  const std::unique_ptr<WebhookSender> sender = std::move(account.webhook.sender);
  if (sender) co_await sender->close();
}

asio::awaitable<Answer> delete_webhook(BotAccount& account, Params params) {
  const bool was_set = account.webhook.settings.has_value();
  if (account.webhook.is_active()) ++account.webhook.generation;
  account.webhook.pending = false;
  account.allowed.set(params.text("allowed_updates"));
  forget(account.webhook);
  co_await close_webhook(account);
  if (params.flag("drop_pending_updates")) account.queue.clear();
  const std::string_view description = was_set ? "Webhook was deleted" : "Webhook is already deleted";
  co_return Answer::ok("true", description);
}

asio::awaitable<Answer> set_webhook(Clock& clock, BotAccount& account, Params params, WebhookRules rules,
                                    const StartSender& start) {
  // Whoever asked may hang up; what was begun is brought to its end all the same.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  WebhookState& webhook = account.webhook;
  if (params.text("url").empty()) {
    Answer deleted = co_await delete_webhook(account, std::move(params));
    co_return deleted;
  }
  if (webhook.settings && is_same_webhook(*webhook.settings, params, rules)) {
    account.allowed.set(params.text("allowed_updates"));
    co_return Answer::ok("true", "Webhook is already set");
  }
  const MonoTime now = clock.mono();
  if (webhook.last_set && now - *webhook.last_set < least_pause)
    co_return Answer::flood(std::chrono::seconds(1));
  webhook.last_set = now;
  webhook.pending = true;
  const std::int64_t generation = ++webhook.generation;
  if (account.waiting != nullptr) {
    account.waiting->conflict = terminated_text;
    account.waiting->changed.notify();
  }
  forget(webhook);
  co_await close_webhook(account);
  if (params.flag("drop_pending_updates")) account.queue.clear();
  Settled settings = co_await settle(params, rules);
  if (generation != webhook.generation) {
    Answer replaced = co_await conflict(clock, account, replaced_text);
    co_return replaced;
  }
  webhook.pending = false;
  if (!settings) co_return Answer::error(400, settings.error().description);
  account.allowed.set(params.text("allowed_updates"));
  webhook.settings = *std::move(settings);
  webhook.sender = start(account);
  co_return Answer::ok("true", "Webhook was set");
}

}  // namespace tgkeep::emulator
