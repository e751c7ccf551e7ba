#include "app/wiring.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "http/request_place.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep::app {

namespace {

// What a push needs on top of its own timeout: a place among the open requests is not waited for, as no more
// than these are started, but connecting is.
constexpr Duration kPushSlack = std::chrono::seconds(15);

sink::StatusRule status_rule(PushRule rule) {
  switch (rule) {
    case PushRule::dead:
      return sink::StatusRule::dead;
    case PushRule::done:
      return sink::StatusRule::done;
    case PushRule::retry:
      break;
  }
  return sink::StatusRule::retry;
}

std::string settle_url(BotId bot, const PushSettings& push) {
  return push.settle_url + std::to_string(bot.value()) + "/";
}

std::string target_of(const BotOptions& options) {
  if (options.pull) return "pull";
  return options.push ? "push " + http::RequestPlace(options.push->url).text() : "handler";
}

// More than any bot is away for. What it had when tgkeep ended is not to blame for that.
constexpr Duration kNoTimeout = std::chrono::hours(24 * 365 * 10);
constexpr std::uint32_t kNoCrashes = std::numeric_limits<std::uint32_t>::max();

RunnerOptions for_pull(RunnerOptions inbox) {
  inbox.timeout = kNoTimeout;
  inbox.suspect_after = kNoCrashes;
  inbox.max_crashes = kNoCrashes;
  return inbox;
}

}  // namespace

Result<BotId> bot_of(const BotOptions& options) {
  if (options.token.empty()) {
    return Error(Errc::bad_config, "no bot token: put the one from @BotFather into TGKEEP_TOKEN");
  }
  const Result<telegram::Token> token = telegram::Token::parse(options.token);
  if (token.has_error()) return token.error();
  return token->bot(options.test_environment);
}

Result<void> check_bot(const BotOptions& options) {
  if (options.pull && (options.push || options.handler)) {
    return Error(Errc::bad_config,
                 "it has pull beside a handler or a push: its updates can go to one of them only");
  }
  if (!options.handler && !options.push && !options.pull) {
    return Error(Errc::bad_config, "the Gateway was given an empty handler");
  }
  const Result<BotId> bot = bot_of(options);
  if (bot.has_error()) return bot.error();
  if (options.webhook) return source::check_options(webhook_options(*bot, options));
  return Result<void>();
}

// A push URL may hold a secret in its path.
admin::BotFacts facts_of(BotId bot, const BotOptions& options) {
  admin::BotFacts facts;
  facts.id = bot;
  facts.name = options.name;
  facts.source = options.webhook ? "webhook " + options.webhook->path : "poll";
  facts.target = target_of(options);
  if (!options.in_memory) facts.folder = options.folder;
  facts.limit = inbox_options(options).limit;
  return facts;
}

store::SqliteOptions sqlite_options(const BotOptions& options) {
  store::SqliteOptions sqlite(options.folder);
  sqlite.reserve = options.reserve;
  sqlite.history = options.history;
  sqlite.max_history = options.max_history;
  // What can be replayed must still be known as received.
  sqlite.dedup_window = std::max(sqlite.dedup_window, options.history);
  return sqlite;
}

source::LongPollOptions poll_options(BotId bot, const BotOptions& options) {
  source::LongPollOptions poll(bot);
  poll.timeout = options.poll_timeout;
  poll.allowed_updates = options.allowed_updates;
  poll.drop_pending = options.drop_pending;
  poll.take_over = options.take_over;
  poll.sequentialize = options.sequentialize;
  return poll;
}

source::WebhookOptions webhook_options(BotId bot, const BotOptions& options) {
  const WebhookSettings& settings = *options.webhook;
  source::WebhookOptions webhook(bot);
  webhook.path = settings.path;
  webhook.secrets = settings.secrets;
  webhook.telegram_only = settings.telegram_only;
  webhook.trusted_proxies = settings.trusted_proxies;
  webhook.address_header = settings.address_header;
  webhook.sequentialize = options.sequentialize;
  webhook.log_requests = options.log_updates;
  if (!settings.own) return webhook;
  source::WebhookRegistration registration(settings.url);
  registration.certificate_file = settings.certificate_file;
  registration.ip_address = settings.ip_address;
  registration.max_connections = settings.max_connections;
  registration.allowed_updates = options.allowed_updates;
  registration.drop_pending = options.drop_pending;
  webhook.registration = std::move(registration);
  return webhook;
}

sink::PushOptions push_options(BotId bot, const BotOptions& options) {
  const PushSettings& settings = *options.push;
  sink::PushOptions push(settings.url);
  push.secret = settings.secret;
  push.concurrency = settings.concurrency;
  push.timeout = settings.timeout;
  for (const auto& [status, rule] : settings.rules) push.rules.emplace(status, status_rule(rule));
  push.webhook_reply = settings.webhook_reply;
  push.accept_202 = settings.accept_202;
  push.lease = settings.lease;
  push.settle_url = settle_url(bot, settings);
  return push;
}

RunnerOptions inbox_options(const BotOptions& options) {
  RunnerOptions inbox = options.inbox;
  inbox.log_deliveries = inbox.log_deliveries || options.log_updates;
  if (options.pull) return for_pull(std::move(inbox));
  if (!options.push) return inbox;
  const PushSettings& push = *options.push;
  Duration longest = push.timeout + kPushSlack;
  if (push.accept_202) {
    longest += push.lease;
  } else {
    inbox.limit = push.concurrency;
  }
  inbox.timeout = std::max(inbox.timeout, longest);
  return inbox;
}

face::FaceSettings face_settings(const FaceOptions& face, const BotOptions& options) {
  face::FaceSettings settings;
  settings.pulls = options.pull.has_value();
  settings.elsewhere =
      options.push ? "push to " + http::RequestPlace(options.push->url).text() : "a handler within tgkeep";
  if (!options.in_memory) settings.folder = options.folder;
  if (options.pull) {
    settings.lease = options.pull->lease;
    settings.push_timeout = options.pull->push_timeout;
  }
  settings.allowed_updates = options.allowed_updates;
  settings.outgoing.token = options.token;
  settings.outgoing.api_root = options.api_root;
  settings.outgoing.test_environment = options.test_environment;
  settings.outgoing.max_wait = face.max_wait;
  settings.outgoing.max_waiting = face.max_waiting;
  settings.outgoing.bulk_rate = face.bulk_rate;
  return settings;
}

std::string path_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t host = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t end = std::min(url.find_first_of("?#", host), url.size());
  const std::size_t path = url.find('/', host);
  if (path == std::string_view::npos || path >= end) return "/";
  return std::string(url.substr(path, end - path));
}

bool needs_listener(const BotOptions& options) noexcept {
  return options.webhook || (options.push && options.push->accept_202);
}

std::string settle_prefix(BotId bot, const BotOptions& options) {
  return path_of(settle_url(bot, *options.push));
}

}  // namespace tgkeep::app
