#include <algorithm>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <tgkeep/long_poll.hpp>
#include <utility>

#include "rules/mutant.hpp"
#include "source/order.hpp"
#include "source/poll_batch.hpp"
#include "source/poll_request.hpp"
#include "source/poller.hpp"

namespace tgkeep::source {

namespace {

class LongPoll final : public Source {
 public:
  LongPoll(Clock& clock, Api& api, Store& store, LongPollOptions options, Log log)
      : clock_(clock), store_(store), log_(log), poller_(clock, api, std::move(options), std::move(log)) {}

  asio::awaitable<Result<void>> run() override;
  SourceStats stats() const override { return poller_.stats(); }
  void allow(std::vector<std::string> kinds) override { poller_.allow(std::move(kinds)); }
  asio::awaitable<Result<void>> drop_pending() override { return poller_.drop_pending(); }

 private:
  asio::awaitable<Result<void>> poll();
  asio::awaitable<Result<void>> keep(PollAnswer answer);
  void count(const PollBatch& batch, const std::vector<PutResult>& results);

  Clock& clock_;
  Store& store_;
  const Log log_;
  Poller poller_;
};

asio::awaitable<Result<void>> LongPoll::run() {
  poller_.restart();
  Result<void> ended;
  try {
    ended = co_await poll();
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::operation_aborted) throw;
    ended = Error(Errc::cancelled, "polling: a call was cancelled; run it again");
  }
  SourceStats& stats = poller_.stats();
  stats.healthy = false;
  stats.first_since.reset();
  const auto state = co_await asio::this_coro::cancellation_state;
  const bool stopped = state.cancelled() != asio::cancellation_type::none;
  if (stopped && ended.error().code() == Errc::cancelled) {
    // Nothing is confirmed on the way out: what the last batch left unconfirmed comes again and is a
    // duplicate.
    stats.problem = "polling was stopped";
    log_.info("poll_stopped", {{"bot", poller_.bot()}});
    co_return Result<void>();
  }
  stats.problem = ended.error().text();
  co_return ended;
}

asio::awaitable<Result<void>> LongPoll::poll() {
  co_await poller_.open();
  for (;;) {
    PollAnswer answer = co_await poller_.ask(poller_.options().limit);
    if (answer.pieces.empty()) continue;
    Result<void> kept = co_await keep(std::move(answer));
    if (!kept) co_return kept;
  }
}

// Returns when the batch is durable and the offset has moved (P1). While the store is full, polling stands
// still.
asio::awaitable<Result<void>> LongPoll::keep(PollAnswer answer) {
  const WallTime received = clock_.wall();
  for (;;) {
    PollBatch batch = read_batch(poller_.options().bot, received, answer.pieces);
    const bool sabotaged = rules::mutant("acknowledge_before_commit") && batch.last;
    bool progress = false;
    if (sabotaged) {
      progress = poller_.take_over(batch.last);
      ApiRequest confirm = confirm_updates(*poller_.offset());
      co_await poller_.call(std::move(confirm));
    }
    std::vector<Update> updates = std::move(batch.updates);
    order(updates, poller_.options().sequentialize, log_);
    const MonoTime began = clock_.mono();
    Result<std::vector<PutResult>> put = co_await store_.put(std::move(updates));
    if (put) {
      poller_.stats().puts.add(clock_.mono() - began);
      count(batch, *put);
      progress = poller_.take_over(batch.last) || progress;
      if (progress) {
        poller_.recover();
        co_return Result<void>();
      }
      PollTrouble trouble = Poller::no_progress();
      co_await poller_.wait_out(std::move(trouble));
      co_return Result<void>();
    }
    if (!passes_by_itself(put.error().code())) co_return put.error();
    if (sabotaged) co_return Result<void>();
    PollTrouble trouble("store_full", "polling pauses, the store takes nothing: " + put.error().text());
    co_await poller_.wait_out(std::move(trouble));
  }
}

void LongPoll::count(const PollBatch& batch, const std::vector<PutResult>& results) {
  SourceStats& stats = poller_.stats();
  const auto duplicates = std::ranges::count(results, true, &PutResult::duplicate);
  const auto received = static_cast<std::int64_t>(results.size());
  stats.received += received;
  stats.duplicates += duplicates;
  stats.stored += received - duplicates;
  stats.unreadable += batch.unreadable;
}

}  // namespace

std::unique_ptr<Source> make_long_poll(Clock& clock, Api& api, Store& store, LongPollOptions options,
                                       Log log) {
  return std::make_unique<LongPoll>(clock, api, store, std::move(options), std::move(log));
}

}  // namespace tgkeep::source
