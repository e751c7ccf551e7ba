#include "source/webhook_registrar.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "loop/event.hpp"
#include "rules/retry.hpp"
#include "source/webhook_calls.hpp"

namespace tgkeep::source {

namespace {

using std::chrono::seconds;

constexpr seconds kFirstBackoff{1};
constexpr seconds kMaxBackoff{30};
// For what a person has to put right: a refused webhook, a token that is no good.
constexpr std::chrono::minutes kSlowRetry{5};

}  // namespace

WebhookRegistrar::WebhookRegistrar(Clock& clock, Api& api, const WebhookOptions& options, Log log)
    : clock_(clock),
      api_(api),
      options_(options),
      registration_(options.registration),
      log_(std::move(log)),
      dice_(static_cast<std::uint64_t>(clock.mono().time_since_epoch().count() ^ options.bot.value())) {}

asio::awaitable<void> WebhookRegistrar::run() {
  registered_ = false;
  info_.reset();
  trouble_.reset();
  since_ = clock_.wall();
  const auto executor = co_await asio::this_coro::executor;
  loop::Event changed(executor);
  const loop::EventList::Place known(changed_, changed);
  if (owned()) {
    co_await tell_what_was();
    co_await register_webhook();
  }
  for (;;) {
    co_await check();
    const bool lost = owned() && info_->url != registration_->url;
    if (lost) registered_ = false;
    if (lost || (owned() && !told_)) {
      co_await register_webhook();
      co_await check();
    }
    const MonoTime next = clock_.mono() + options_.check_every;
    co_await changed.wait_until(clock_, next);
  }
}

void WebhookRegistrar::allow(std::vector<std::string> kinds) {
  if (!owned()) return;
  std::optional<std::vector<std::string>>& allowed = registration_->allowed_updates;
  if (allowed && same_kinds(*allowed, kinds)) return;
  allowed = std::move(kinds);
  told_.want_again();
  changed_.notify_all();
}

asio::awaitable<Result<void>> WebhookRegistrar::drop_pending() {
  if (!owned()) {
    co_return Error(Errc::misuse,
                    "updates can't be given up at Telegram: its webhook is registered by somebody else, who "
                    "can do it with setWebhook and drop_pending_updates");
  }
  const std::uint64_t carried = told_.wanted();
  Result<ApiRequest> request = set_webhook(*registration_, secret(), true);
  if (!request) co_return request.error();
  ApiRequest asked = std::move(*request);
  const ApiResult answer = co_await api_.call(std::move(asked));
  if (!answer) {
    co_return Error(Errc::network, "what waits at Telegram was not given up: " + answer.error().text());
  }
  told_.said(carried);
  log_.warning("pending_updates_dropped", {{"bot", bot()}, {"why", "it was asked for"}});
  co_return Result<void>();
}

// Shows whom the webhook is taken from, and how much waits. Never a reason not to register.
asio::awaitable<void> WebhookRegistrar::tell_what_was() {
  ApiRequest request = get_webhook_info();
  const ApiResult answer = co_await call(std::move(request));
  std::optional<WebhookInfo> before;
  if (answer) before = read_webhook_info(*answer);
  if (!before) co_return;
  const bool foreign = !before->url.empty() && before->url != registration_->url;
  log_.info("webhook_before", {{"bot", bot()},
                               {"host", before->host.empty() ? "none" : before->host},
                               {"pending", before->pending},
                               {"allowed_updates", before->allowed_updates}});
  if (foreign) {
    log_.warning("webhook_replaced", {{"bot", bot()}, {"was", before->host}});
  }
}

// Also when nothing seems to differ: the secret can't be read back, and setting the same again changes
// nothing at Telegram.
asio::awaitable<void> WebhookRegistrar::register_webhook() {
  const WebhookRegistration& registration = *registration_;
  const bool drop = registration.drop_pending && !dropped_;
  for (;;) {
    const std::uint64_t carried = told_.wanted();
    Result<ApiRequest> request = set_webhook(registration, secret(), drop);
    if (!request) {
      PollTrouble trouble("certificate", request.error().text(), kSlowRetry);
      co_await wait_out(std::move(trouble));
      continue;
    }
    ApiRequest asked = std::move(*request);
    const ApiResult answer = co_await call(std::move(asked));
    if (answer) told_.said(carried);
    if (answer) break;
    PollTrouble trouble = read_registration_trouble(answer.error(), kSlowRetry);
    co_await wait_out(std::move(trouble));
  }
  registered_ = true;
  since_ = clock_.wall();
  if (drop) {
    dropped_ = true;
    log_.warning("pending_updates_dropped", {{"bot", bot()}, {"why", "drop_pending is on"}});
  }
  std::string asked = "unchanged";
  if (registration.allowed_updates) asked = list_kinds(*registration.allowed_updates);
  log_.info("webhook_registered",
            {{"bot", bot()},
             {"host", host_of(registration.url)},
             {"max_connections", registration.max_connections},
             {"allowed_updates", asked},
             {"certificate", registration.certificate_file.empty() ? "none" : "uploaded"},
             {"secrets", options_.secrets.size()}});
  recover();
}

// Returns with `info_` as Telegram sees it.
asio::awaitable<void> WebhookRegistrar::check() {
  for (;;) {
    ApiRequest request = get_webhook_info();
    const ApiResult answer = co_await call(std::move(request));
    std::optional<PollTrouble> trouble;
    if (answer) {
      info_ = read_webhook_info(*answer);
      if (info_) break;
      trouble.emplace("bad_answer",
                      "getWebhookInfo was not answered with a WebhookInfo: check the Bot API's address");
    } else {
      trouble = read_trouble(answer.error(), kSlowRetry);
    }
    co_await wait_out(std::move(*trouble));
  }
  recover();
  const WebhookFindings found = findings(std::nullopt);
  if (found.text == said_) co_return;
  said_ = found.text;
  if (said_.empty()) co_return;
  log_.warning("webhook_trouble", {{"bot", bot()}, {"trouble", "findings"}, {"text", said_}});
}

asio::awaitable<ApiResult> WebhookRegistrar::call(ApiRequest request) {
  ApiResult answer = co_await api_.call(std::move(request));
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
  if (!answer) ++failures_;
  co_return answer;
}

asio::awaitable<void> WebhookRegistrar::wait_out(PollTrouble trouble) {
  ++stumbles_;
  const double dice = std::uniform_real_distribution<double>(0, 1)(dice_);
  const Duration growing = rules::backoff(kFirstBackoff, kMaxBackoff, stumbles_, dice);
  const Duration wait = trouble.wait.value_or(growing);
  const bool is_new = !trouble_ || trouble_->name != trouble.name;
  trouble_ = std::move(trouble);
  if (is_new) {
    log_.warning("webhook_trouble", {{"bot", bot()}, {"trouble", trouble_->name}, {"text", trouble_->text}});
  }
  co_await loop::sleep_for(clock_, wait);
}

void WebhookRegistrar::recover() {
  if (trouble_) {
    log_.info("webhook_recovered",
              {{"bot", bot()}, {"from", trouble_->name}, {"failed_in_a_row", stumbles_}});
  }
  trouble_.reset();
  stumbles_ = 0;
  last_success_ = clock_.mono();
}

// A check that fails says nothing about deliveries; a refused token does.
WebhookFindings WebhookRegistrar::findings(std::optional<WallTime> proof) const {
  WebhookFindings found;
  if (info_) {
    const WebhookRegistration* const registration = owned() ? &*registration_ : nullptr;
    found = examine_webhook(*info_, registration, std::max(proof.value_or(since_), since_), clock_.wall());
  }
  if (owned() && !registered_) {
    found.healthy = false;
    if (found.text.empty() && !trouble_) found.text = "the webhook is not registered yet";
  }
  if (trouble_) {
    if (trouble_->name == "suspended") found.healthy = false;
    found.text = trouble_->text + (found.text.empty() ? "" : "; also: " + found.text);
  }
  return found;
}

}  // namespace tgkeep::source
