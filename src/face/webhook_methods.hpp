#pragma once
// setWebhook, deleteWebhook and getWebhookInfo: of the bot's own webhook, which Telegram never hears of.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store.hpp>
#include <type_traits>

#include "face/bot_sink.hpp"
#include "face/call.hpp"
#include "face/conflicts.hpp"
#include "face/own_webhook.hpp"
#include "face/webhook_wish.hpp"
#include "face/wishes.hpp"
#include "http/client.hpp"

namespace tgkeep::face {

class WebhookServices {
 public:
  WebhookServices() = default;
  /// Pushes to this webhook.
  std::function<std::unique_ptr<Sink>(const OwnWebhook&)> make_target;
  http::AddressFilter allowed;  ///< of the addresses a push may go to. Absent: all are
  std::function<bool(std::string_view address, std::uint16_t port)> is_own_place;  ///< absent: nowhere
  std::function<asio::awaitable<Result<void>>()> drop_upstream;  ///< absent: nothing to drop
};

/// Everything on the loop's thread. What it gets must outlive it.
class WebhookMethods {
 public:
  WebhookMethods(Clock& clock, Store& store, BotSink& sink, OwnSettings& settings, Wishes& wishes,
                 Conflicts& conflicts, WebhookServices services, Log log);

  /// Pushes to the webhook that is remembered, if there is one.
  void resume();
  /// An empty url deletes. Brought to its end although the caller hangs up; while the face winds down, being
  /// cancelled ends it, unanswered. A refused one leaves the webhook as it was.
  asio::awaitable<http::ServerReply> set(Call call);
  asio::awaitable<http::ServerReply> remove(Call call);
  asio::awaitable<http::ServerReply> info() const;

 private:
  asio::awaitable<http::ServerReply> bring_to_end(asio::awaitable<http::ServerReply> work) const;
  asio::awaitable<http::ServerReply> set_now(Call call);
  asio::awaitable<http::ServerReply> remove_now(Call call);
  asio::awaitable<std::optional<std::string>> resolve(WebhookWish& wish) const;
  asio::awaitable<Result<void>> drop();
  Result<void> take(std::optional<OwnWebhook> webhook);
  void apply();

  Clock& clock_;
  Store& store_;
  BotSink& sink_;
  OwnSettings& settings_;
  Wishes& wishes_;
  Conflicts& conflicts_;
  WebhookServices services_;
  Log log_;
  std::optional<MonoTime> last_set_;
  std::int64_t changes_ = 0;
};

static_assert(!std::is_aggregate_v<WebhookServices>);

}  // namespace tgkeep::face
