#include "source/webhook.hpp"

#include <algorithm>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "loop/event.hpp"
#include "loop/task_group.hpp"
#include "rules/line_limit.hpp"
#include "rules/mutant.hpp"
#include "source/order.hpp"
#include "source/secret.hpp"
#include "source/sender_address.hpp"
#include "source/webhook_registrar.hpp"
#include "telegram/update_reader.hpp"
#include "words/millis_text.hpp"

namespace tgkeep::source {

namespace {

constexpr std::string_view kSecretHeader = "X-Telegram-Bot-Api-Secret-Token";
// Telegram has at most 100 connections to a bot, and updates of a few KiB.
constexpr std::size_t kMaxWaiting = 4096;
constexpr std::size_t kMaxWaitingBytes = 64U << 20;

// An object without a method: Telegram takes it for no webhook reply.
http::ServerReply accepted() {
  return http::ServerReply(200, "{}");
}

http::ServerReply refusal(int status, std::string_view description) {
  std::string body = R"({"ok":false,"error_code":)" + std::to_string(status) + R"(,"description":")";
  body += description;
  body += "\"}";
  return http::ServerReply(status, std::move(body));
}

class Inbound final : public Webhook {
 public:
  Inbound(Clock& clock, Api& api, Store& store, WebhookOptions options, Log log)
      : clock_(clock),
        store_(store),
        options_(std::move(options)),
        log_(log),
        secrets_(options_.secrets),
        registrar_(clock, api, options_, std::move(log)) {
    // An address that is none trusts nobody; check_options tells.
    if (auto proxies = AddressRanges::parse(options_.trusted_proxies)) proxies_ = std::move(*proxies);
  }

  asio::awaitable<Result<void>> run() override;
  SourceStats stats() const override;
  void allow(std::vector<std::string> kinds) override { registrar_.allow(std::move(kinds)); }
  asio::awaitable<Result<void>> drop_pending() override { return registrar_.drop_pending(); }
  std::optional<http::ServerReply> check(const http::ServerRequest& head) const override;
  asio::awaitable<http::ServerReply> receive(http::ServerRequest request) override;
  void refused(const http::ServerRequest& head, int status) override;

 private:
  /// What its log line says of one request.
  class Account {
   public:
    Account() = default;
    MonoTime arrived;
    std::size_t bytes = 0;
    UpdateId update = UpdateId(-1);  // or none
    std::string kind;
    std::string_view what = "refused";  // or new, duplicate
    Duration storing{};
  };

  /// One put that waits for the store.
  class Place {
   public:
    Place(Inbound& inbound, std::size_t bytes) : inbound_(inbound), bytes_(bytes) {
      ++inbound_.waiting_;
      inbound_.waiting_bytes_ += bytes_;
    }
    ~Place() {
      --inbound_.waiting_;
      inbound_.waiting_bytes_ -= bytes_;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Inbound& inbound_;
    const std::size_t bytes_;
  };

  asio::awaitable<http::ServerReply> take(http::ServerRequest request, Account& account);
  asio::awaitable<http::ServerReply> keep(Update update, Account& account);
  asio::awaitable<void> keep_later(Update update);
  http::ServerReply answer(const Result<std::vector<PutResult>>& put, bool readable);
  void tell(const Account& account, int status, Duration took) const;
  http::ServerReply not_now(std::string_view why);
  void warn_of_open_door() const;
  std::string bot() const { return std::to_string(options_.bot.value()); }

  Clock& clock_;
  Store& store_;
  const WebhookOptions options_;
  const Log log_;
  const SecretSet secrets_;
  AddressRanges proxies_;
  WebhookRegistrar registrar_;
  SourceStats stats_;  // what is counted here; `stats` adds the registrar's
  bool running_ = false;
  std::size_t waiting_ = 0;  // puts
  std::size_t waiting_bytes_ = 0;
  std::string store_trouble_;
  std::optional<Error> broken_;
  loop::Event* ended_ = nullptr;  // of the run under way
  std::optional<WallTime> last_stored_;
  rules::LineLimit refusals_;
};

asio::awaitable<Result<void>> Inbound::run() {
  const auto executor = co_await asio::this_coro::executor;
  loop::Event ended(executor);
  loop::TaskGroup watch(executor, log_);
  broken_.reset();
  store_trouble_.clear();
  ended_ = &ended;
  running_ = true;
  warn_of_open_door();
  watch.spawn("webhook_watch", registrar_.run());
  try {
    while (!broken_) co_await ended.wait();
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::operation_aborted) throw;
  }
  running_ = false;
  ended_ = nullptr;
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  watch.cancel();
  co_await watch.join();
  if (broken_) co_return *broken_;
  log_.info("webhook_stopped", {{"bot", bot()}});
  co_return Result<void>();
}

std::optional<http::ServerReply> Inbound::check(const http::ServerRequest& head) const {
  if (head.method != "POST") {
    http::ServerReply reply = refusal(405, "Method Not Allowed: a webhook takes POST");
    reply.headers.emplace_back("Allow", "POST");
    return reply;
  }
  const std::string_view target = head.target;
  if (target.substr(0, target.find('?')) != options_.path) return refusal(404, "Not Found");
  if (options_.telegram_only) {
    const auto sender = sender_address(head, options_.address_header, proxies_);
    if (!sender || !telegram_ranges().contains(*sender)) {
      return refusal(403, "Forbidden: the sender is not Telegram");
    }
  }
  if (!secrets_.accepts(http::find_header(head.headers, kSecretHeader))) {
    return refusal(401, "Unauthorized: the secret token is missing or wrong");
  }
  return std::nullopt;
}

asio::awaitable<http::ServerReply> Inbound::receive(http::ServerRequest request) {
  // Also here: a server without the head check must not let strangers in.
  std::optional<http::ServerReply> refusal = check(request);
  if (refusal) {
    refused(request, refusal->status);
    co_return *refusal;
  }
  Account account;
  account.arrived = clock_.mono();
  account.bytes = request.body.size();
  http::ServerReply reply = co_await take(std::move(request), account);
  const Duration took = clock_.mono() - account.arrived;
  stats_.exchanges.add(took);
  if (options_.log_requests) tell(account, reply.status, took);
  co_return reply;
}

asio::awaitable<http::ServerReply> Inbound::take(http::ServerRequest request, Account& account) {
  if (!running_) co_return not_now("tgkeep is starting or stopping");
  const bool crowded = waiting_ >= kMaxWaiting || waiting_bytes_ + request.body.size() > kMaxWaitingBytes;
  if (crowded) co_return not_now("too many updates wait to be stored");
  Update update = telegram::read_or_keep(options_.bot, clock_.wall(), std::move(request.body));
  const bool has_id = update.id.value() >= 0;
  account.update = update.id;
  if (options_.log_requests) account.kind = update.kind;
  if (!has_id) {
    // Telegram's always have one. Refused, it shows up in getWebhookInfo; kept, it would be anybody's
    // garbage.
    ++stats_.failures;
    co_return refusal(400, "Bad Request: not an update");
  }
  if (rules::mutant("webhook_answers_before_commit")) {
    const auto executor = co_await asio::this_coro::executor;
    asio::co_spawn(executor, keep_later(std::move(update)), asio::detached);
    co_return accepted();
  }
  // A client that hangs up changes nothing: the put is on its way.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  http::ServerReply reply = co_await keep(std::move(update), account);
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_return reply;
}

asio::awaitable<http::ServerReply> Inbound::keep(Update update, Account& account) {
  const Place place(*this, update.raw.size());
  const bool readable = update.unreadable.empty();
  std::vector<Update> batch;
  batch.push_back(std::move(update));
  order(batch, options_.sequentialize, log_);
  const MonoTime began = clock_.mono();
  const Result<std::vector<PutResult>> put = co_await store_.put(std::move(batch));
  account.storing = clock_.mono() - began;
  if (put) {
    stats_.puts.add(account.storing);
    account.what = put->front().duplicate ? "duplicate" : "new";
  }
  co_return answer(put, readable);
}

asio::awaitable<void> Inbound::keep_later(Update update) {
  Account account;
  co_await keep(std::move(update), account);
}

void Inbound::tell(const Account& account, int status, Duration took) const {
  const bool has_id = account.update.value() >= 0;
  log_.info("webhook_request", {{"bot", bot()},
                                {"status", status},
                                {"update_id", has_id ? std::to_string(account.update.value()) : "none"},
                                {"kind", account.kind},
                                {"what", account.what},
                                {"bytes", account.bytes},
                                {"store_ms", words::millis_text(account.storing)},
                                {"ms", words::millis_text(took)}});
}

void Inbound::refused(const http::ServerRequest& head, int status) {
  const std::optional<std::int64_t> suppressed = refusals_.ask(clock_.mono());
  if (!suppressed) return;
  const auto sender = sender_address(head, options_.address_header, proxies_);
  log_.warning("webhook_refused", {{"bot", bot()},
                                   {"status", status},
                                   {"sender", sender ? sender->to_string() : "unknown"},
                                   {"suppressed", *suppressed}});
}

http::ServerReply Inbound::answer(const Result<std::vector<PutResult>>& put, bool readable) {
  if (put) {
    ++stats_.received;
    ++(put->front().duplicate ? stats_.duplicates : stats_.stored);
    if (!readable) ++stats_.unreadable;
    if (!store_trouble_.empty()) log_.info("webhook_stores_again", {{"bot", bot()}});
    store_trouble_.clear();
    last_stored_ = clock_.wall();
    stats_.last_success = clock_.mono();
    return accepted();
  }
  const Error& error = put.error();
  if (passes_by_itself(error.code())) {
    if (store_trouble_.empty()) log_.warning("webhook_store_full", {{"bot", bot()}, {"text", error.text()}});
    store_trouble_ = "updates are refused, the store takes nothing: " + error.text();
    return not_now("the store is full");
  }
  if (running_ && error.code() != Errc::cancelled) {
    broken_ = error;
    running_ = false;
    ended_->notify();
  }
  return not_now("the update could not be stored");
}

http::ServerReply Inbound::not_now(std::string_view why) {
  ++stats_.failures;
  http::ServerReply reply = refusal(503, "Service Unavailable: " + std::string(why));
  reply.headers.emplace_back("Retry-After", std::to_string(options_.retry_after.count()));
  return reply;
}

void Inbound::warn_of_open_door() const {
  if (!secrets_.empty() || options_.telegram_only) return;
  log_.warning(
      "webhook_without_secret",
      {{"bot", bot()},
       {"what_to_do", "anybody who knows the URL can send updates: set a secret, or telegram_only"}});
}

SourceStats Inbound::stats() const {
  SourceStats stats = stats_;
  const WebhookFindings found = registrar_.findings(last_stored_);
  stats.failures += registrar_.failures();
  stats.last_success = std::max(stats_.last_success, registrar_.last_success());
  stats.healthy = running_ && store_trouble_.empty() && found.healthy;
  stats.problem = store_trouble_;
  if (!found.text.empty()) stats.problem += (stats.problem.empty() ? "" : "; also: ") + found.text;
  if (!running_) stats.problem = broken_ ? broken_->text() : "the webhook does not run";
  return stats;
}

}  // namespace

Result<void> check_options(const WebhookOptions& options) {
  const auto bad = [](std::string text) { return Error(Errc::bad_config, std::move(text)); };
  if (!options.path.starts_with('/') || options.path.find_first_of("? #") != std::string::npos) {
    return bad("the webhook's path \"" + options.path +
               "\" is not one: it starts with / and has no query, blank or #");
  }
  for (const std::string& secret : options.secrets) {
    if (!is_secret(secret)) {
      return bad("a secret of the webhook is not 1-256 characters of A-Z, a-z, 0-9, _ and -: choose another");
    }
  }
  const auto proxies = AddressRanges::parse(options.trusted_proxies);
  if (!proxies) return bad("trusted_proxies: " + proxies.error().text());
  if (options.retry_after < std::chrono::seconds(1) || options.retry_after > std::chrono::hours(1)) {
    return bad("retry_after of the webhook is not between 1 s and 1 h, which is all that Telegram obeys");
  }
  if (!options.registration) return Result<void>();
  if (!options.registration->url.starts_with("https://") &&
      !options.registration->url.starts_with("http://")) {
    return bad(
        "the URL to register does not start with https:// (http:// is only for a Bot API server of your "
        "own)");
  }
  if (options.registration->max_connections < 1 || options.registration->max_connections > 100) {
    return bad("max_connections of the webhook is not between 1 and 100");
  }
  return Result<void>();
}

std::unique_ptr<Webhook> make_webhook(Clock& clock, Api& api, Store& store, WebhookOptions options, Log log) {
  return std::make_unique<Inbound>(clock, api, store, std::move(options), std::move(log));
}

}  // namespace tgkeep::source
