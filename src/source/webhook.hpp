#pragma once
// Telegram's webhook as a source: an update is answered with 2xx only after it is durable (P1). Rules of the
// real sender: botapi behaviour §3 (60 s, retries, keep-alive). It has no socket of its own: whoever owns the
// HTTP server hands requests in, so that many bots share one port.

#include <memory>
#include <optional>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sequentialize.hpp>
#include <tgkeep/source.hpp>
#include <tgkeep/store.hpp>
#include <type_traits>
#include <vector>

#include "http/server.hpp"

namespace tgkeep::source {

/// What to tell Telegram, when tgkeep owns the webhook.
class WebhookRegistration {
 public:
  explicit WebhookRegistration(std::string url) : url(std::move(url)) {}
  std::string url;               ///< public, https
  std::string certificate_file;  ///< PEM to upload, for a self-signed one; "" = none
  std::string ip_address;        ///< "" = by DNS
  int max_connections = 40;      ///< 1-100
  std::optional<std::vector<std::string>> allowed_updates;  ///< absent: the server keeps its setting
  bool drop_pending = false;                                ///< a wilful loss
};

class WebhookOptions {
 public:
  explicit WebhookOptions(BotId bot) : bot(bot) {}
  BotId bot;
  std::string path = "/";  ///< exact path of this bot's requests
  std::vector<std::string>
      secrets;                 ///< the current one first; older ones are accepted too (rotation). Empty: none
  bool telegram_only = false;  ///< refuse senders outside Telegram's published ranges
  std::vector<std::string> trusted_proxies;        ///< addresses or ranges whose `address_header` is believed
  std::string address_header = "X-Forwarded-For";  ///< its last entry that is no trusted proxy is the sender
  Sequentialize sequentialize;                     ///< absent: the default keys
  std::chrono::seconds retry_after{5};             ///< with every 503
  bool log_requests = false;                       ///< a line, `webhook_request`, for each that was answered
  std::optional<WebhookRegistration> registration;  ///< absent: somebody else calls setWebhook
  Duration check_every = std::chrono::minutes(5);   ///< getWebhookInfo, for the words in `stats().problem`
};

/// `run` registers and watches the webhook until cancelled; requests are stored while it runs and get 503
/// otherwise. Everything on the loop's thread.
class Webhook : public Source {
 public:
  /// For HeadCheck: method, path, sender and secret (in constant time), before the body is read.
  virtual std::optional<http::ServerReply> check(const http::ServerRequest& head) const = 0;
  /// Stores one update; the reply is 2xx only if it is durable.
  virtual asio::awaitable<http::ServerReply> receive(http::ServerRequest request) = 0;
  /// A request for it was refused at the door, by `check` or by the server: logged, one line a second at
  /// most.
  virtual void refused(const http::ServerRequest& head, int status) = 0;
};

/// bad_config says which setting can't be right: path, secrets, trusted_proxies, retry_after, url,
/// max_connections.
Result<void> check_options(const WebhookOptions& options);

/// All references must outlive it. `api` is used for the registration and its checks only.
std::unique_ptr<Webhook> make_webhook(Clock& clock, Api& api, Store& store, WebhookOptions options, Log log);

static_assert(!std::is_aggregate_v<WebhookRegistration> && !std::is_aggregate_v<WebhookOptions>);

}  // namespace tgkeep::source
