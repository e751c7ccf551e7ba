#include "source/poller.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "loop/event.hpp"
#include "rules/retry.hpp"
#include "source/poll_request.hpp"
#include "source/webhook_info.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::source {

namespace {

using std::chrono::seconds;

constexpr seconds kFirstBackoff{1};
// A long poll that ends sooner without updates is a server that stops, or a proxy: asking at once would spin.
constexpr seconds kShortestEmptyPoll{1};

}  // namespace

Poller::Poller(Clock& clock, Api& api, LongPollOptions options, Log log)
    : clock_(clock),
      api_(api),
      polls_(api, log),
      options_(std::move(options)),
      log_(std::move(log)),
      dice_(static_cast<std::uint64_t>(clock.mono().time_since_epoch().count() ^ options_.bot.value())) {
  stats_.problem = "not polled yet";
}

void Poller::restart() {
  offset_ = rules::PollOffset();
  told_.forget();
  stats_.first_since = clock_.mono();
  stats_.problem.clear();
}

asio::awaitable<void> Poller::open() {
  const bool drop = options_.drop_pending && !dropped_;
  if (drop || options_.take_over) co_await free_the_queue(drop);
  co_await tell_settings();
}

asio::awaitable<PollAnswer> Poller::ask(int limit) {
  const MonoTime began = clock_.mono();
  const std::uint64_t carried = told_.wanted();
  ApiRequest request = get_updates(options_, limit, offset_.value(), !told_);
  std::optional<ApiResult> answer = co_await polls_.call(std::move(request));
  if (!answer) {  // asked again at once, for other kinds
    PollAnswer nothing;
    co_return nothing;
  }
  if (*answer) stats_.exchanges.add(clock_.mono() - began);
  PollAnswer taken = co_await read(std::move(*answer), carried);
  const MonoTime earliest = began + kShortestEmptyPoll;
  const bool was_empty = taken.pieces.empty() && stats_.healthy;
  if (was_empty && clock_.mono() < earliest) co_await loop::sleep_until(clock_, earliest);
  co_return taken;
}

void Poller::allow(std::vector<std::string> kinds) {
  if (options_.allowed_updates && same_kinds(*options_.allowed_updates, kinds)) return;
  log_.info("poll_kinds_changed", {{"bot", bot()}, {"allowed_updates", list_kinds(kinds)}});
  options_.allowed_updates = std::move(kinds);
  told_.want_again();
  polls_.give_up();
}

asio::awaitable<Result<void>> Poller::drop_pending() {
  ApiRequest request = delete_webhook(true);
  const ApiResult answer = co_await api_.call(std::move(request));
  if (!answer) {
    co_return Error(Errc::network, "what waits at Telegram was not given up: " + answer.error().text());
  }
  log_.warning("pending_updates_dropped", {{"bot", bot()}, {"why", "it was asked for"}});
  co_return Result<void>();
}

asio::awaitable<PollAnswer> Poller::read(ApiResult answer, std::uint64_t carried) {
  PollAnswer taken;
  if (!answer) {
    ++stats_.failures;
    PollTrouble trouble = read_trouble(answer.error(), options_.suspended_retry);
    co_await wait_out(std::move(trouble));
    co_return taken;
  }
  taken.text = std::make_shared<const std::string>(std::move(*answer));
  Result<std::vector<std::string_view>> pieces = telegram::cut_array(*taken.text);
  if (!pieces) {
    ++stats_.failures;
    PollTrouble trouble("bad_answer", pieces.error().text());
    co_await wait_out(std::move(trouble));
    co_return taken;
  }
  told_.said(carried);
  taken.pieces = std::move(*pieces);
  if (taken.pieces.empty()) recover();
  co_return taken;
}

bool Poller::take_over(std::optional<UpdateId> last) {
  const std::optional<std::int64_t> before = offset_.value();
  if (last) offset_.stored(*last);
  return offset_.value() != before;
}

PollTrouble Poller::no_progress() {
  return PollTrouble(
      "no_progress",
      "Telegram sent updates again that it sent before, or none of their ids can be read, so they can't "
      "be confirmed: look at what stands between it and tgkeep");
}

// Deletes the webhook. What is in flight to it comes again by polling, as a duplicate.
asio::awaitable<void> Poller::free_the_queue(bool drop) {
  for (;;) {
    ApiRequest request = delete_webhook(drop);
    const ApiResult answer = co_await call(std::move(request));
    if (answer) break;
    ++stats_.failures;
    PollTrouble trouble = read_trouble(answer.error(), options_.suspended_retry);
    co_await wait_out(std::move(trouble));
  }
  if (!drop) co_return;
  dropped_ = true;
  log_.warning("pending_updates_dropped", {{"bot", bot()}, {"why", "drop_pending is on"}});
}

// What the server filters and whether a webhook is in the way: shown at the start, never a reason to stop.
asio::awaitable<void> Poller::tell_settings() {
  std::string asked = "unchanged";
  if (options_.allowed_updates) asked = list_kinds(*options_.allowed_updates);
  ApiRequest request = get_webhook_info();
  const ApiResult answer = co_await call(std::move(request));
  std::optional<WebhookInfo> info;
  if (answer) info = read_webhook_info(*answer);
  if (!info) {
    log_.info("poll_started", {{"bot", bot()}, {"allowed_updates", asked}, {"at_the_server", "unknown"}});
    co_return;
  }
  log_.info("poll_started", {{"bot", bot()},
                             {"allowed_updates", asked},
                             {"at_the_server", info->allowed_updates},
                             {"pending", info->pending}});
  if (!info->host.empty()) {
    log_.warning(
        "webhook_is_set",
        {{"bot", bot()},
         {"host", info->host},
         {"what_to_do", "delete it with deleteWebhook, set take_over, or run tgkeep in webhook mode"}});
  }
}

// Cancelled calls end with a value; it must not be taken for a failure of the server.
asio::awaitable<ApiResult> Poller::call(ApiRequest request) {
  ApiResult answer = co_await api_.call(std::move(request));
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
  co_return answer;
}

asio::awaitable<void> Poller::wait_out(PollTrouble trouble) {
  ++stumbles_;
  const double dice = std::uniform_real_distribution<double>(0, 1)(dice_);
  const Duration growing = rules::backoff(kFirstBackoff, options_.max_backoff, stumbles_, dice);
  const Duration wait = trouble.wait.value_or(growing);
  stats_.healthy = false;
  stats_.first_since.reset();
  stats_.problem = trouble.text;
  if (trouble.name != trouble_) {
    trouble_ = trouble.name;
    log_.warning("poll_trouble", {{"bot", bot()}, {"trouble", trouble.name}, {"text", trouble.text}});
  }
  co_await loop::sleep_for(clock_, wait);
}

void Poller::recover() {
  if (!trouble_.empty()) {
    log_.info("poll_recovered", {{"bot", bot()}, {"from", trouble_}, {"failed_in_a_row", stumbles_}});
  }
  trouble_ = {};
  stumbles_ = 0;
  stats_.healthy = true;
  stats_.first_since.reset();
  stats_.problem.clear();
  stats_.last_success = clock_.mono();
}

}  // namespace tgkeep::source
