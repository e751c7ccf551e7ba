#pragma once
// What one bot is: where its updates come from, where they go, what it may use. Plain values, read once at
// the start.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/handler.hpp>
#include <tgkeep/runner.hpp>
#include <tgkeep/sequentialize.hpp>
#include <tgkeep/time.hpp>
#include <tgkeep/transformer.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

/// Updates come by webhook, through the process's listener (`ListenOptions`).
class WebhookSettings {
 public:
  WebhookSettings() = default;
  std::string path = "/";            ///< exact path of this bot's requests; another one for each bot
  std::vector<std::string> secrets;  ///< the current one first; older ones are accepted too (rotation)
  bool own = false;                  ///< register `url` with Telegram at each start
  std::string url;                   ///< as Telegram reaches the listener; for `own`
  std::string certificate_file;      ///< PEM to upload, for a self-signed one; "" = none
  std::string ip_address;            ///< instead of what DNS says; "" = by DNS
  int max_connections = 40;          ///< that Telegram opens at most, 1-100
  bool telegram_only = false;        ///< refuse senders outside Telegram's published addresses
  std::vector<std::string> trusted_proxies;        ///< addresses or ranges whose `address_header` is believed
  std::string address_header = "X-Forwarded-For";  ///< where they say who sent the request
};

/// What an answer outside 2xx, 429 and 503 means.
enum class PushRule : std::uint8_t { retry, dead, done };

/// Updates go to the bot's own HTTP server.
class PushSettings {
 public:
  PushSettings() = default;
  std::string url;               ///< of the bot: `http://127.0.0.1:3000/`
  std::string secret;            ///< sent as X-Telegram-Bot-Api-Secret-Token; "" = no such header
  std::size_t concurrency = 40;  ///< open requests at once
  Duration timeout = std::chrono::seconds(60);  ///< of one request
  std::map<int, PushRule> rules;  ///< exact statuses first, then classes (4 = 4xx); else it is retried
  bool webhook_reply = true;      ///< a Bot API call in the answer goes to the outbox
  bool accept_202 = false;        ///< 202 = accepted: the bot settles later, at the settle URL it was given
  Duration lease = std::chrono::minutes(5);  ///< how long it may take for that, or until it renews
  /// Start of the settle URLs as the bot reaches the process's listener, with a slash at the end; the bot's
  /// id and a token follow.
  std::string settle_url;
};

/// Updates wait at the face (`FaceOptions`) until the bot, wherever it runs, asks for them with getUpdates or
/// gives a webhook of its own with setWebhook.
class PullSettings {
 public:
  PullSettings() = default;
  /// For bots that confirm before they have finished: what was handed out within this time comes again, as
  /// new runs at the tail, when the bot starts anew. 0: a confirmed update is done.
  Duration lease{};
  /// Of one request to the webhook that the bot itself has set.
  Duration push_timeout = std::chrono::seconds(60);
};

/// One bot. Only the token has no default, and one of `handler`, `push` and `pull` must be there.
class BotOptions {
 public:
  explicit BotOptions(std::string token) : token(std::move(token)) {}

  std::string token;                                  ///< from @BotFather; never logged
  std::string name;                                   ///< in the log, when a process has several bots
  std::string api_root = "https://api.telegram.org";  ///< without a slash at the end
  bool test_environment = false;                      ///< Telegram's test servers

  std::string folder = "tgkeep-data";  ///< of the store; made if missing. One bot of one process at a time
  bool in_memory = false;              ///< no folder: everything is forgotten at exit
  std::uint64_t reserve = 64U << 20;   ///< bytes of disk kept free: below, nothing new is accepted
  /// How long finished updates and calls can be found and replayed; 0: they are deleted at once.
  std::chrono::hours history{48};
  std::uint64_t max_history = 2U << 30;  ///< bytes of them: above, the oldest go early

  /// Kinds to ask Telegram for, until changed again. Absent: it keeps what was set last. Empty: its default
  /// kinds.
  std::optional<std::vector<std::string>> allowed_updates;
  bool drop_pending = false;  ///< give up, at each start, what Telegram still holds: a wilful loss
  std::chrono::seconds poll_timeout{30};   ///< of one long poll, at most 50 s
  bool take_over = false;                  ///< delete a webhook before polling; what waits is kept
  std::optional<WebhookSettings> webhook;  ///< absent: long polling

  /// What is handled one after another, decided at receipt and stored. Absent: one update at a time for each
  /// chat (poll, or user where there is no chat).
  Sequentialize sequentialize;

  Handler handler;                   ///< in this process; or else
  std::optional<PushSettings> push;  ///< in another one, over HTTP
  std::optional<PullSettings> pull;  ///< in another one, that fetches them at the face

  /// How updates are handed over. With `push` no more than `push.concurrency` at once (unless accept_202),
  /// and never cut off before the push itself would be.
  RunnerOptions inbox;
  RunnerOptions outbox;  ///< how calls are sent
  /// A line for each webhook request and each delivery of both queues, at level info.
  bool log_updates = false;
  /// Around the calls handlers make themselves and those of the outbox; not around polling.
  std::vector<ApiTransformer> transformers;
};

static_assert(!std::is_aggregate_v<WebhookSettings> && !std::is_aggregate_v<PushSettings> &&
              !std::is_aggregate_v<BotOptions>);

}  // namespace tgkeep
