#include "face/webhook_methods.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "face/reply.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::face {

namespace {

namespace json = boost::json;

constexpr Duration kLeastPause = std::chrono::seconds(1);
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

http::ServerReply broken(const Error& error) {
  return refusal(500, "Internal Server Error: the webhook is as it was: " + error.text());
}

asio::awaitable<void> keep_reply(asio::awaitable<http::ServerReply> work,
                                 std::optional<http::ServerReply>& reply) {
  http::ServerReply made = co_await std::move(work);
  reply = std::move(made);
}

}  // namespace

WebhookMethods::WebhookMethods(Clock& clock, Store& store, BotSink& sink, OwnSettings& settings,
                               Wishes& wishes, Conflicts& conflicts, WebhookServices services, Log log)
    : clock_(clock),
      store_(store),
      sink_(sink),
      settings_(settings),
      wishes_(wishes),
      conflicts_(conflicts),
      services_(std::move(services)),
      log_(std::move(log)) {}

void WebhookMethods::apply() {
  if (!settings_.webhook) {
    sink_.let_pull();
    return;
  }
  std::unique_ptr<Sink> target = services_.make_target(*settings_.webhook);
  sink_.push_to(std::move(target), settings_.webhook->max_connections);
}

void WebhookMethods::resume() {
  if (!settings_.webhook) return;
  apply();
  log_.info("own_webhook_resumed", {{"receiver", settings_.webhook->place}});
}

Result<void> WebhookMethods::take(std::optional<OwnWebhook> webhook) {
  std::optional<OwnWebhook> before = std::exchange(settings_.webhook, std::move(webhook));
  Result<void> saved = settings_.save();
  if (!saved) {
    settings_.webhook = std::move(before);
    return saved;
  }
  apply();
  if (settings_.webhook) {
    log_.info("own_webhook_set", {{"receiver", settings_.webhook->place},
                                  {"max_connections", settings_.webhook->max_connections}});
  } else {
    log_.info("own_webhook_deleted");
  }
  return saved;
}

// A task of its own, as being cancelled says one of two things: the caller has hung up, or time is up.
asio::awaitable<http::ServerReply> WebhookMethods::bring_to_end(
    asio::awaitable<http::ServerReply> work) const {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  loop::TaskGroup task(executor, log_);
  std::optional<http::ServerReply> reply;
  task.spawn("webhook", keep_reply(std::move(work), reply));
  while (task.size() > 0) {
    try {
      co_await task.join();
    } catch (const boost::system::system_error& error) {
      if (error.code() != asio::error::operation_aborted) throw;
    }
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    if (sink_.winding_down()) task.cancel();
  }
  if (!reply) throw boost::system::system_error(asio::error::operation_aborted);
  co_return *std::move(reply);
}

/// Fills in the address, or says why there is none.
asio::awaitable<std::optional<std::string>> WebhookMethods::resolve(WebhookWish& wish) const {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::ip::tcp::resolver resolver(executor);
  const std::string port = std::to_string(wish.url.port);
  const auto [error, found] = co_await resolver.async_resolve(wish.url.host, port, kTuple);
  if (error || found.empty()) co_return "Failed to resolve host: " + error.message();
  // Of all, as a push may go to any of them.
  for (const auto& entry : found) {
    const std::string address = entry.endpoint().address().to_string();
    if (services_.is_own_place && services_.is_own_place(address, entry.endpoint().port())) {
      co_return "tgkeep itself listens at " + wish.webhook.place + ": give the URL of the bot's own server";
    }
  }
  std::string refused;
  for (const auto& entry : found) {
    const std::string address = entry.endpoint().address().to_string();
    if (!services_.allowed || services_.allowed(address)) {
      wish.webhook.address = address;
      co_return std::nullopt;
    }
    if (refused.empty()) refused = address;
  }
  co_return "IP address " + refused + " is reserved; to let tgkeep push there, name it in push.allow";
}

asio::awaitable<Result<void>> WebhookMethods::drop() {
  if (services_.drop_upstream) {
    const Result<void> upstream = co_await services_.drop_upstream();
    if (!upstream) log_.warning("not_dropped_at_telegram", {{"error", upstream.error().text()}});
  }
  Result<void> dropped = co_await wishes_.drop_pending(0);
  co_return dropped;
}

asio::awaitable<http::ServerReply> WebhookMethods::set(Call call) {
  asio::awaitable<http::ServerReply> work = set_now(std::move(call));
  http::ServerReply reply = co_await bring_to_end(std::move(work));
  co_return reply;
}

asio::awaitable<http::ServerReply> WebhookMethods::remove(Call call) {
  asio::awaitable<http::ServerReply> work = remove_now(std::move(call));
  http::ServerReply reply = co_await bring_to_end(std::move(work));
  co_return reply;
}

// Both may be cancelled at any of their waits: what they change together is changed without one.
asio::awaitable<http::ServerReply> WebhookMethods::set_now(Call call) {
  if (call.params.text("url").empty()) {
    http::ServerReply removed = co_await remove_now(std::move(call));
    co_return removed;
  }
  if (settings_.webhook && is_same_webhook(*settings_.webhook, call)) {
    wishes_.allow(call.params.text("allowed_updates"));
    co_return ok("true", "Webhook is already set");
  }
  const MonoTime now = clock_.mono();
  if (last_set_ && now - *last_set_ < kLeastPause) {
    co_return refusal(429, "Too Many Requests: retry after 1", std::chrono::seconds(1));
  }
  last_set_ = now;
  boost::system::result<WebhookWish, telegram::WebhookRefusal> wish = read_webhook_wish(call);
  if (!wish) co_return refusal(400, wish.error().description);
  const std::int64_t change = ++changes_;
  const std::optional<std::string> unresolved = co_await resolve(*wish);
  if (change == changes_ && unresolved) co_return refusal(400, "Bad Request: bad webhook: " + *unresolved);
  if (change == changes_ && call.params.flag("drop_pending_updates")) {
    const Result<void> dropped = co_await drop();
    if (!dropped) co_return broken(dropped.error());
  }
  if (change != changes_) {
    http::ServerReply replaced = co_await conflicts_.refuse(kOtherWebhookText);
    co_return replaced;
  }
  const Result<void> taken = take(std::move(wish->webhook));
  if (!taken) co_return broken(taken.error());
  wishes_.allow(call.params.text("allowed_updates"));
  co_return ok("true", "Webhook was set");
}

asio::awaitable<http::ServerReply> WebhookMethods::remove_now(Call call) {
  ++changes_;
  wishes_.allow(call.params.text("allowed_updates"));
  if (call.params.flag("drop_pending_updates")) {
    const Result<void> dropped = co_await drop();
    if (!dropped) co_return broken(dropped.error());
  }
  if (!settings_.webhook) co_return ok("true", "Webhook is already deleted");
  const Result<void> taken = take(std::nullopt);
  if (!taken) co_return broken(taken.error());
  co_return ok("true", "Webhook was deleted");
}

asio::awaitable<http::ServerReply> WebhookMethods::info() const {
  const Result<StoreCounts> counts = co_await store_.counts();
  if (!counts) co_return refusal(500, "Internal Server Error: " + counts.error().text());
  const QueueCounts& inbox = counts->inbox;
  json::object object;
  object["url"] = settings_.webhook ? settings_.webhook->url : std::string();
  object["has_custom_certificate"] = false;
  object["pending_update_count"] = inbox.pending + inbox.in_flight + inbox.retrying;
  if (settings_.webhook) {
    object["max_connections"] = settings_.webhook->max_connections;
    object["ip_address"] = settings_.webhook->address;
  }
  if (const auto& failure = sink_.failure()) {
    object["last_error_date"] = to_millis(failure->at) / 1000;
    object["last_error_message"] = failure->text;
  }
  const Kinds kinds = wishes_.kinds();
  if (!kinds.empty()) object["allowed_updates"] = json::array(kinds.begin(), kinds.end());
  co_return ok(json::serialize(object));
}

}  // namespace tgkeep::face
