#include <algorithm>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <random>
#include <tgkeep/long_poll.hpp>
#include <utility>

#include "loop/event.hpp"
#include "rules/mutant.hpp"
#include "rules/poll_offset.hpp"
#include "rules/retry.hpp"
#include "source/order.hpp"
#include "source/poll_batch.hpp"
#include "source/poll_request.hpp"
#include "source/poll_trouble.hpp"
#include "source/webhook_info.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::source {

namespace {

using std::chrono::seconds;
using Pieces = std::vector<std::string_view>;

constexpr seconds kFirstBackoff{1};
// A long poll that ends sooner without updates is a server that stops, or a proxy: asking at once would spin.
constexpr seconds kShortestEmptyPoll{1};

class LongPoll final : public Source {
 public:
  LongPoll(Clock& clock, Api& api, Store& store, LongPollOptions options, Log log)
      : clock_(clock),
        api_(api),
        store_(store),
        options_(std::move(options)),
        log_(std::move(log)),
        dice_(static_cast<std::uint64_t>(clock.mono().time_since_epoch().count() ^ options_.bot.value())) {
    stats_.problem = "not polled yet";
  }

  asio::awaitable<Result<void>> run() override;
  SourceStats stats() const override { return stats_; }

 private:
  asio::awaitable<Result<void>> poll();
  asio::awaitable<void> free_the_queue(bool drop);
  asio::awaitable<void> tell_settings();
  asio::awaitable<Result<void>> take(ApiResult answer, std::optional<std::int64_t> sent);
  asio::awaitable<Result<void>> keep(Pieces pieces);
  asio::awaitable<ApiResult> call(ApiRequest request);
  asio::awaitable<void> wait_out(PollTrouble trouble);

  void count(const PollBatch& batch, const std::vector<PutResult>& results);
  void recover();
  std::string bot() const { return std::to_string(options_.bot.value()); }

  Clock& clock_;
  Api& api_;
  Store& store_;
  const LongPollOptions options_;
  const Log log_;
  SourceStats stats_;
  rules::PollOffset offset_;
  bool asked_ = false;          // the server has our allowed_updates
  bool dropped_ = false;        // drop_pending is for the first run only
  std::uint32_t stumbles_ = 0;  // in a row
  std::string_view trouble_;    // name of the last one logged; "" when all is well
  std::mt19937_64 dice_;
};

asio::awaitable<Result<void>> LongPoll::run() {
  offset_ = rules::PollOffset();
  asked_ = false;
  Result<void> ended;
  try {
    ended = co_await poll();
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::operation_aborted) throw;
    ended = Error(Errc::cancelled, "polling: a call was cancelled; run it again");
  }
  stats_.healthy = false;
  const auto state = co_await asio::this_coro::cancellation_state;
  const bool stopped = state.cancelled() != asio::cancellation_type::none;
  if (stopped && ended.error().code() == Errc::cancelled) {
    // Nothing is confirmed on the way out: what the last batch left unconfirmed comes again and is a
    // duplicate.
    stats_.problem = "polling was stopped";
    log_.info("poll_stopped", {{"bot", bot()}});
    co_return Result<void>();
  }
  stats_.problem = ended.error().text();
  co_return ended;
}

asio::awaitable<Result<void>> LongPoll::poll() {
  const bool drop = options_.drop_pending && !dropped_;
  if (drop || options_.take_over) co_await free_the_queue(drop);
  co_await tell_settings();
  for (;;) {
    const std::optional<std::int64_t> sent = offset_.value();
    const MonoTime began = clock_.mono();
    const std::int64_t before = stats_.received;
    ApiRequest request = get_updates(options_, sent, !asked_);
    ApiResult answer = co_await call(std::move(request));
    Result<void> taken = co_await take(std::move(answer), sent);
    if (!taken) co_return taken;
    const bool was_empty = stats_.received == before && stats_.healthy;
    const MonoTime earliest = began + kShortestEmptyPoll;
    if (was_empty && clock_.mono() < earliest) co_await loop::sleep_until(clock_, earliest);
  }
}

// An answer becomes durable updates, and only then the offset moves (P1).
asio::awaitable<Result<void>> LongPoll::take(ApiResult answer, std::optional<std::int64_t> sent) {
  if (!answer) {
    ++stats_.failures;
    PollTrouble trouble = read_trouble(answer.error(), options_.suspended_retry);
    co_await wait_out(std::move(trouble));
    co_return Result<void>();
  }
  Result<Pieces> pieces = telegram::cut_array(*answer);
  if (!pieces) {
    ++stats_.failures;
    PollTrouble trouble("bad_answer", pieces.error().text());
    co_await wait_out(std::move(trouble));
    co_return Result<void>();
  }
  asked_ = true;
  if (pieces->empty()) {
    recover();
    co_return Result<void>();
  }
  Pieces batch = std::move(*pieces);
  Result<void> kept = co_await keep(std::move(batch));
  if (!kept) co_return kept;
  if (offset_.value() == sent) {
    PollTrouble trouble(
        "no_progress",
        "Telegram sent updates again that are stored, or none of their ids can be read, so they can't "
        "be confirmed: look at what stands between it and tgkeep");
    co_await wait_out(std::move(trouble));
    co_return Result<void>();
  }
  recover();
  co_return Result<void>();
}

// Returns when the batch is durable and the offset has moved. While the store is full, polling stands still.
asio::awaitable<Result<void>> LongPoll::keep(Pieces pieces) {
  const WallTime received = clock_.wall();
  for (;;) {
    PollBatch batch = read_batch(options_.bot, received, pieces);
    const bool sabotaged = rules::mutant("acknowledge_before_commit") && batch.last;
    if (sabotaged) {
      offset_.stored(*batch.last);
      ApiRequest confirm = confirm_updates(*offset_.value());
      co_await call(std::move(confirm));
    }
    std::vector<Update> updates = std::move(batch.updates);
    order(updates, options_.sequentialize, log_);
    Result<std::vector<PutResult>> put = co_await store_.put(std::move(updates));
    if (put) {
      count(batch, *put);
      if (batch.last) offset_.stored(*batch.last);
      co_return Result<void>();
    }
    if (!passes_by_itself(put.error().code())) co_return put.error();
    if (sabotaged) co_return Result<void>();
    PollTrouble trouble("store_full", "polling pauses, the store takes nothing: " + put.error().text());
    co_await wait_out(std::move(trouble));
  }
}

// Deletes the webhook. What is in flight to it comes again by polling, as a duplicate.
asio::awaitable<void> LongPoll::free_the_queue(bool drop) {
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
asio::awaitable<void> LongPoll::tell_settings() {
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
asio::awaitable<ApiResult> LongPoll::call(ApiRequest request) {
  ApiResult answer = co_await api_.call(std::move(request));
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
  co_return answer;
}

asio::awaitable<void> LongPoll::wait_out(PollTrouble trouble) {
  ++stumbles_;
  const double dice = std::uniform_real_distribution<double>(0, 1)(dice_);
  const Duration growing = rules::backoff(kFirstBackoff, options_.max_backoff, stumbles_, dice);
  const Duration wait = trouble.wait.value_or(growing);
  stats_.healthy = false;
  stats_.problem = trouble.text;
  if (trouble.name != trouble_) {
    trouble_ = trouble.name;
    log_.warning("poll_trouble", {{"bot", bot()}, {"trouble", trouble.name}, {"text", trouble.text}});
  }
  co_await loop::sleep_for(clock_, wait);
}

void LongPoll::count(const PollBatch& batch, const std::vector<PutResult>& results) {
  const auto duplicates = std::ranges::count(results, true, &PutResult::duplicate);
  const auto received = static_cast<std::int64_t>(results.size());
  stats_.received += received;
  stats_.duplicates += duplicates;
  stats_.stored += received - duplicates;
  stats_.unreadable += batch.unreadable;
}

void LongPoll::recover() {
  if (!trouble_.empty()) {
    log_.info("poll_recovered", {{"bot", bot()}, {"from", trouble_}, {"failed_in_a_row", stumbles_}});
  }
  trouble_ = {};
  stumbles_ = 0;
  stats_.healthy = true;
  stats_.problem.clear();
  stats_.last_success = clock_.mono();
}

}  // namespace

std::unique_ptr<Source> make_long_poll(Clock& clock, Api& api, Store& store, LongPollOptions options,
                                       Log log) {
  return std::make_unique<LongPoll>(clock, api, store, std::move(options), std::move(log));
}

}  // namespace tgkeep::source
