#include "face/get_updates.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <utility>

#include "face/reply.hpp"
#include "loop/event.hpp"
#include "telegram/renumber.hpp"

namespace tgkeep::face {

namespace {

// Of a poll that comes while tgkeep stops: it must not come again at once.
constexpr Duration kStopPause = std::chrono::seconds(1);
constexpr std::int64_t kLargestOffset = 0x7FFFFFFF;

http::ServerReply batch(const std::vector<sink::PulledUpdate>& updates) {
  std::string json = "[";
  for (const sink::PulledUpdate& update : updates) {
    if (json.size() > 1) json += ",\n";
    telegram::append_renumbered(json, update.delivery->item.body, shown(update.id));
  }
  json += ']';
  return ok(json);
}

}  // namespace

GetUpdates::GetUpdates(Clock& clock, Store& store, BotSink& sink, Wishes& wishes, Conflicts& conflicts,
                       Duration lease, Log log)
    : clock_(clock),
      sink_(sink),
      wishes_(wishes),
      conflicts_(conflicts),
      log_(std::move(log)),
      replays_(clock, store, lease, log_) {}

asio::awaitable<sink::PullAnswer> GetUpdates::pull(sink::PullRequest request) {
  const Duration wait = request.wait;
  // With a lease the first look must not wait: what it finds out makes more come.
  if (replays_.on()) request.wait = Duration::zero();
  sink::PullRequest first = request;
  sink::PullAnswer answer = co_await sink_.pull().pull(std::move(first));
  if (replays_.on() && answer.restarted) {
    // It is the only time that the restart shows, whether or not the poller is still there.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await replays_.bring_back();
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  }
  const bool waits = replays_.on() && wait > Duration::zero() && answer.updates.empty() &&
                     answer.end == sink::PullAnswer::End::updates;
  if (waits) {
    request.wait = wait;
    const bool restarted = answer.restarted;
    sink::PullAnswer second = co_await sink_.pull().pull(std::move(request));
    second.restarted = restarted;
    answer = std::move(second);
  }
  co_return answer;
}

asio::awaitable<http::ServerReply> GetUpdates::answer(Call call) {
  if (sink_.pushes()) {
    http::ServerReply refused = co_await conflicts_.refuse(kWebhookActiveText);
    co_return refused;
  }
  const MonoTime now = clock_.mono();
  const std::int64_t offset =
      std::clamp<std::int64_t>(call.params.number("offset", 0), -kLargestOffset, kLargestOffset);
  const PollTerms terms =
      pace_.admit(offset, call.params.number("limit", 100), call.params.number("timeout", 0), now);
  wishes_.allow(call.params.text("allowed_updates"));
  sink::PullRequest request;
  request.limit = terms.limit;
  request.wait = terms.wait;
  request.settles = call.path.settles;
  if (offset < 0) {
    const Result<void> dropped = co_await wishes_.drop_pending(-offset);
    if (!dropped) co_return refusal(500, "Internal Server Error: " + dropped.error().text());
  } else if (offset > 0) {
    request.offset = offset;
  }
  const sink::PullAnswer pulled = co_await pull(std::move(request));
  switch (pulled.end) {
    case sink::PullAnswer::End::updates:
      break;
    case sink::PullAnswer::End::replaced: {
      http::ServerReply replaced = co_await conflicts_.refuse(kReplacedText);
      co_return replaced;
    }
    case sink::PullAnswer::End::closed: {
      http::ServerReply ended = co_await closed(now, terms.wait);
      co_return ended;
    }
    case sink::PullAnswer::End::failed:
      co_return refusal(
          500,
          "Internal Server Error: tgkeep could not note which updates it was about to hand out, so "
          "it handed out none; its log says why");
  }
  co_return batch(pulled.updates);
}

asio::awaitable<http::ServerReply> GetUpdates::closed(MonoTime began, Duration wait) {
  if (sink_.pushes()) {
    http::ServerReply refused = co_await conflicts_.refuse(kWebhookSetText);
    co_return refused;
  }
  const MonoTime least = began + std::min(wait, kStopPause);
  if (clock_.mono() < least) co_await loop::sleep_until(clock_, least);
  co_return ok("[]");
}

}  // namespace tgkeep::face
