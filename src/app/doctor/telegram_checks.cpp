#include "app/doctor/telegram_checks.hpp"

#include <fmt/format.h>
#include <time.h>

#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <memory>
#include <tgkeep/api_client.hpp>

#include "app/ask/json_fields.hpp"
#include "app/display/amounts.hpp"
#include "app/display/bot_words.hpp"
#include "http/client.hpp"
#include "loop/run_to_end.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::app {

namespace {

constexpr std::chrono::seconds kPatience{15};
constexpr std::int64_t kManyPending = 1000;
constexpr std::chrono::hours kRecent{1};
constexpr double kClockOff = 2;
constexpr double kClockFarOff = 30;

ApiResult ask(boost::asio::io_context& io, Api& api, ApiRequest request) {
  return loop::run_to_end(io, api.call(std::move(request)));
}

bool check_token(Findings& findings, boost::asio::io_context& io, Api& api, const BotConfig& bot) {
  ApiRequest request("getMe", "{}", kPatience);
  request.repeatable = true;
  const ApiResult me = ask(io, api, std::move(request));
  if (me.has_value()) {
    boost::system::error_code broken;
    const json::value value = json::parse(*me, broken);
    findings.ok("token", "accepted: @" + text_at(value, "username"));
    return true;
  }
  const ApiError& error = me.error();
  if (error.kind == ApiError::Kind::refused && (error.code == 401 || error.code == 404)) {
    findings.bad(
        "token", fmt::format("refused by {}: {}", source::host_of(bot.options.api_root), error.description),
        "put the token that @BotFather shows for this bot into its variable or file; a revoked one never "
        "works again");
  } else {
    findings.bad("token", "could not be tried: " + error.description,
                 "check the network, the name server and the setting api_root");
  }
  return false;
}

std::string wanted_kinds(const BotConfig& bot) {
  return bot.options.allowed_updates ? source::list_kinds(*bot.options.allowed_updates) : std::string();
}

void check_kinds(Findings& findings, const BotConfig& bot, const source::WebhookInfo& info) {
  if (bot.options.allowed_updates) {
    for (const std::string& kind : *bot.options.allowed_updates) {
      if (telegram::find_update_kind(kind)) continue;
      findings.warning("allowed updates", "this version does not know the kind " + kind,
                       "correct poll.allowed_updates if it is a slip; a kind newer than this version works");
    }
  }
  const std::string wanted = wanted_kinds(bot);
  if (!wanted.empty() && wanted != info.allowed_updates) {
    findings.warning(
        "allowed updates",
        fmt::format("Telegram sends {}, the configuration wants {}", info.allowed_updates, wanted),
        "a start of tgkeep sets it; with a webhook that is not webhook.own set it yourself");
  } else if (info.allowed_updates == "default") {
    findings.ok("allowed updates",
                "Telegram's default: all but chat_member, message_reaction and "
                "message_reaction_count");
  } else {
    findings.ok("allowed updates", info.allowed_updates);
  }
}

void check_polling(Findings& findings, const BotConfig& bot, const source::WebhookInfo& info) {
  if (info.url.empty()) {
    findings.ok("webhook", "none is set, so polling works");
  } else if (bot.options.take_over) {
    findings.warning("webhook", "one is set at " + info.host + ", and polling can't go beside it",
                     "the next start deletes it (poll.take_over); stop whoever sets it again");
  } else {
    findings.bad("webhook", "one is set at " + info.host + ", so Telegram refuses polling",
                 "set poll.take_over = true to delete it at the start, or source = \"webhook\" to use it");
  }
}

void check_registration(Findings& findings, const BotConfig& bot, const source::WebhookInfo& info) {
  const bool own = bot.webhook.own;
  if (info.url.empty()) {
    findings.bad("webhook", "Telegram knows none, so it sends nothing",
                 own ? "start tgkeep: it registers webhook.url"
                     : "set webhook.own = true and webhook.url, or register it with setWebhook");
  } else if (own && info.url != bot.webhook.url) {
    findings.warning(
        "webhook", "Telegram sends to another URL than webhook.url, at " + info.host,
        "start tgkeep: it registers its own; if that does not last, another program has the token");
  } else {
    findings.ok("webhook", "set at " + info.host);
  }
  const std::chrono::milliseconds since = info.last_error_at ? wall_now() - *info.last_error_at : kRecent * 2;
  if (!info.last_error.empty() && since < kRecent) {
    findings.bad(
        "webhook errors",
        fmt::format("{} ago: {}", age_text(std::chrono::duration<double>(since).count()), info.last_error),
        "docs/webhooks.md says what Telegram's words mean; the newest deliveries fail");
  } else if (!info.last_error.empty()) {
    findings.ok("webhook errors", "none in the last hour; the last was: " + info.last_error);
  } else {
    findings.ok("webhook errors", "none");
  }
}

void check_pending(Findings& findings, const source::WebhookInfo& info) {
  const std::string text = fmt::format("{} updates wait at Telegram", info.pending);
  if (info.pending >= kManyPending) {
    findings.warning("pending", text, "they are lost after 24 h: see that tgkeep runs and receives");
  } else {
    findings.ok("pending", text);
  }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`.
std::optional<WallTime> read_http_date(const std::string& text) {
  tm date{};
  if (::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date) == nullptr) return std::nullopt;
  return from_millis(static_cast<std::int64_t>(::timegm(&date)) * 1000);
}

}  // namespace

std::optional<source::WebhookInfo> check_telegram(Findings& findings, boost::asio::io_context& io,
                                                  const BotConfig& bot, const std::string& token) {
  ApiOptions options(token);
  options.root = bot.options.api_root;
  options.test_environment = bot.options.test_environment;
  const Result<std::unique_ptr<ApiClient>> api = make_api(io.get_executor(), options);
  if (api.has_error()) {
    findings.bad("token", api.error().text(),
                 "put the token that @BotFather shows into its variable or file");
    return std::nullopt;
  }
  if (!check_token(findings, io, **api, bot)) return std::nullopt;
  const ApiResult answer = ask(io, **api, source::get_webhook_info());
  std::optional<source::WebhookInfo> info;
  if (answer.has_value()) info = source::read_webhook_info(*answer);
  if (!info) {
    findings.warning("webhook",
                     "getWebhookInfo could not be read" +
                         (answer.has_error() ? ": " + answer.error().description : std::string()),
                     "try again; if it stays so, check the setting api_root");
    return std::nullopt;
  }
  if (bot.source == SourceKind::poll) {
    check_polling(findings, bot, *info);
  } else {
    check_registration(findings, bot, *info);
  }
  check_kinds(findings, bot, *info);
  check_pending(findings, *info);
  return info;
}

void check_clock(Findings& findings, boost::asio::io_context& io, const std::string& api_root) {
  http::Client client(io.get_executor());
  http::ClientRequest request("GET", api_root + "/");
  request.timeout = kPatience;
  request.repeatable = true;
  const http::ClientResult answer = loop::run_to_end(io, client.send(std::move(request)));
  if (answer.has_error()) {
    findings.skipped("clock", "the API server gives no answer");
    return;
  }
  const std::string* const date = http::find_header(answer->headers, "Date");
  const std::optional<WallTime> theirs = date == nullptr ? std::nullopt : read_http_date(*date);
  if (!theirs) {
    findings.skipped("clock", "the API server does not tell the time");
    return;
  }
  // Theirs is cut to the second.
  const double off = std::chrono::duration<double>(wall_now() - *theirs).count() - 0.5;
  const std::string text = fmt::format("{} {} than {}'s", age_text(std::abs(off)),
                                       off > 0 ? "later" : "earlier", source::host_of(api_root));
  if (std::abs(off) > kClockFarOff) {
    findings.bad("clock", text,
                 "set it, and keep it right with systemd-timesyncd or chrony: what expires would go wrong");
  } else if (std::abs(off) > kClockOff) {
    findings.warning("clock", text, "keep it right with systemd-timesyncd or chrony");
  } else {
    findings.ok("clock", "right to the second");
  }
}

}  // namespace tgkeep::app
