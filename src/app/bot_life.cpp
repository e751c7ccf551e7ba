#include "app/bot_life.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/store_browser.hpp>
#include <vector>

#include "app/wiring.hpp"
#include "loop/event.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

constexpr Duration kLook = std::chrono::milliseconds(5);

std::int64_t waiting(const QueueCounts& counts) {
  return counts.pending + counts.retrying + counts.in_flight;
}

std::int64_t total(const std::map<std::string, std::int64_t>& by_word) {
  std::int64_t sum = 0;
  for (const auto& [word, count] : by_word) sum += count;
  return sum;
}

std::string kinds(const std::optional<std::vector<std::string>>& allowed) {
  if (!allowed) return "as set before";
  if (allowed->empty()) return "the default kinds";
  return words::joined(*allowed, ",");
}

}  // namespace

BotLife::BotLife(SharedRooms& shared, BotOptions options, std::shared_ptr<Store> store, const Log& log,
                 std::function<void(const Error&)> on_failed)
    : shared_(shared),
      options_(std::move(options)),
      log_(options_.name.empty() ? log : log.with(LogField("name", options_.name))),
      on_failed_(std::move(on_failed)),
      rooms_(shared, options_, std::move(store), log_),
      visits_(shared.loop()),
      receiving_(shared.loop(), log_),
      watching_(shared.loop(), log_) {}

asio::awaitable<void> BotLife::begin() {
  co_await announce();
  if (failed_) co_return;
  co_await read_paused(Queue::inbox);
  co_await read_paused(Queue::outbox);
  rooms_.outbox().start();
  rooms_.inbox().start();
  watching_.spawn("outbox", watch(rooms_.outbox()));
  watching_.spawn("inbox", watch(rooms_.inbox()));
}

asio::awaitable<void> BotLife::stop_receiving() {
  receiving_.cancel();
  co_await receiving_.join();
}

void BotLife::resume_receiving() {
  if (!ending_ && !failed_ && receiving_.size() == 0) receiving_.spawn("source", this->receive());
}

// A store that can't remember it has nothing to say; one that fails at it fails at everything.
asio::awaitable<void> BotLife::read_paused(Queue queue) {
  StoreBrowser* const browser = rooms_.store().browser();
  if (browser == nullptr) co_return;
  const Result<bool> paused = co_await browser->paused(queue);
  if (paused.has_error() || !*paused) co_return;
  paused_[index_of(queue)] = true;
  rooms_.runner(queue).pause();
  log_.warning("paused",
               {{"bot", rooms_.bot().value()},
                {"queue", to_string(queue)},
                {"what_to_do", "somebody has paused it: nothing is handed over until it is resumed"}});
}

asio::awaitable<Result<void>> BotLife::set_paused(Queue queue, bool paused) {
  StoreBrowser* const browser = rooms_.store().browser();
  if (browser == nullptr) co_return Error(Errc::misuse, "this kind of store can't remember a pause");
  // Whoever asked may hang up: what is noted must also happen.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  const Result<void> noted = co_await browser->set_paused(queue, paused);
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  if (noted.has_error()) co_return noted;
  Runner& runner = rooms_.runner(queue);
  if (paused) runner.pause();
  if (!paused) runner.resume();
  if (paused_[index_of(queue)] != paused) {
    log_.info(paused ? "paused" : "resumed", {{"bot", rooms_.bot().value()}, {"queue", to_string(queue)}});
  }
  paused_[index_of(queue)] = paused;
  co_return Result<void>();
}

asio::awaitable<void> BotLife::announce() {
  Result<StoreCounts> counts = co_await rooms_.store().counts();
  if (counts.has_error()) {
    fail(counts.error());
    co_return;
  }
  const admin::BotFacts facts = facts_of(rooms_.bot(), options_);
  log_.info("started", {{"bot", rooms_.bot().value()},
                        {"api_root", options_.api_root},
                        {"folder", options_.in_memory ? "(memory)" : options_.folder},
                        {"source", facts.source},
                        {"sink", facts.target},
                        {"allowed_updates", kinds(options_.allowed_updates)},
                        {"limit", facts.limit},
                        {"epoch", rooms_.store().epoch().value()},
                        {"updates_waiting", waiting(counts->inbox)},
                        {"calls_waiting", waiting(counts->outbox)},
                        {"calls_held", counts->outbox.held},
                        {"dead", total(counts->inbox.dead) + total(counts->outbox.dead)}});
}

asio::awaitable<void> BotLife::receive() {
  Result<void> ended = co_await rooms_.source().run();
  if (ended.has_error()) fail(ended.error());
}

asio::awaitable<void> BotLife::watch(Runner& runner) {
  Result<void> ended = co_await runner.wait();
  if (ended.has_error()) fail(ended.error());
}

void BotLife::fail(const Error& error) {
  log_.error("failed", {{"reason", to_string(error.code())}, {"error", error.text()}});
  failed_ = true;
  on_failed_(error);
}

asio::awaitable<std::size_t> BotLife::wind_down(MonoTime until, Duration last_calls) {
  Clock& clock = shared_.clock();
  ending_ = true;
  until_ = std::min(until_, until);
  if (rooms_.face() != nullptr) rooms_.face()->wind_down();
  co_await stop_receiving();
  const Duration for_handlers = std::max(until_ - clock.mono(), Duration(0));
  stopping_ = &rooms_.inbox();
  const StopReport inbox = co_await rooms_.inbox().stop(for_handlers);
  stopping_ = nullptr;
  const MonoTime now = clock.mono();
  if (!failed_) co_await send_last_calls(now + last_calls);
  const MonoTime calls_until = failed_ ? now : std::max(until_, now + last_calls);
  const Duration for_calls = std::max(calls_until - clock.mono(), Duration(0));
  const StopReport outbox = co_await rooms_.outbox().stop(for_calls);
  co_await watching_.join();

  last_ = co_await collect();
  log_.info("stopped", {{"received", last_.source.received},
                        {"duplicates", last_.source.duplicates},
                        {"done", last_.inbox.done},
                        {"calls_sent", last_.outbox.done},
                        {"updates_waiting", waiting(last_.counts.inbox)},
                        {"calls_waiting", waiting(last_.counts.outbox)},
                        {"cut_off", inbox.cut_off + outbox.cut_off}});
  co_return inbox.cut_off + outbox.cut_off;
}

void BotLife::hurry(MonoTime until) {
  until_ = std::min(until_, until);
  if (stopping_ != nullptr) watching_.spawn("hurry", hurry_runner(*stopping_));
}

asio::awaitable<void> BotLife::hurry_runner(Runner& runner) {
  const Duration left = std::max(until_ - shared_.clock().mono(), Duration(0));
  co_await runner.stop(left);
}

// What the last handlers left is sent before the stop rather than after the next start, when that is quickly
// done.
asio::awaitable<void> BotLife::send_last_calls(MonoTime until) {
  Clock& clock = shared_.clock();
  const auto is_sending = [this] {
    const RunnerStats stats = rooms_.outbox().stats();
    return !stats.target_paused && !stats.suspended;
  };
  while (clock.mono() < until && is_sending()) {
    const Result<StoreCounts> counts = co_await rooms_.store().counts();
    if (counts.has_error() || counts->outbox.pending == 0) co_return;
    co_await loop::sleep_for(clock, kLook);
  }
}

asio::awaitable<GatewayStats> BotLife::collect() {
  GatewayStats stats;
  stats.source = rooms_.source().stats();
  stats.inbox = rooms_.inbox().stats();
  stats.outbox = rooms_.outbox().stats();
  Result<StoreCounts> counts = co_await rooms_.store().counts();
  if (counts.has_value()) stats.counts = *counts;
  co_return stats;
}

}  // namespace tgkeep::app
