// Asks the supplier, by the room there is, and lines up what comes.

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "rules/retry.hpp"
#include "runner/direct_runner.hpp"
#include "runner/report.hpp"
#include "words/exception_text.hpp"

namespace tgkeep::runner {

namespace {

constexpr std::size_t kMostAtOnce = 100;
constexpr Duration kFirstBackoff = std::chrono::seconds(1);
constexpr Duration kMaxBackoff = std::chrono::seconds(30);
// A supplier that has nothing and says so at once is not asked again before.
constexpr Duration kShortestEmptyCall = std::chrono::milliseconds(100);

Item to_item(Update update) {
  Item item;
  item.bot = update.bot;
  item.update_id = update.id;
  item.kind = std::move(update.kind);
  item.keys.reserve(update.keys.size());
  for (const OrderingKey& key : update.keys) item.keys.push_back(key.text());
  item.body = std::move(update.raw);
  item.received = update.received;
  item.lifetime = update.lifetime;
  return item;
}

}  // namespace

asio::awaitable<void> DirectRunner::take_in() {
  std::uint32_t failures = 0;
  Duration paced{};
  std::optional<MonoTime> just_now;  // reading the clock costs as much as all else here
  while (state_ == State::running) {
    const std::size_t room = this->room();
    tell_if_full();
    if (room == 0) {
      co_await room_changed_.wait();
      just_now.reset();
      continue;
    }
    const MonoTime began = just_now ? *just_now : clock_.mono();
    just_now.reset();
    std::optional<std::vector<Update>> supplied;
    std::exception_ptr failure;
    try {
      supplied = co_await supplier_(room);
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure && state_ == State::running) {
      paced = Duration::zero();
      ++failures;
      co_await wait_out(failure, failures);
      continue;
    }
    failures = 0;
    if (!supplied && state_ == State::running) co_await end_of_supply();
    if (!supplied) co_return;
    // What a cancelled call returns all the same is kept.
    const std::size_t count = supplied->size();
    accept(std::move(*supplied));
    const MonoTime now = clock_.mono();
    MonoTime next = now + pacing_.wait_after(count, now - began + paced);
    if (count == 0) next = std::max(next, began + kShortestEmptyCall);
    paced = next - now;
    if (paced > Duration::zero() && state_ == State::running) {
      co_await loop::sleep_until(clock_, next);
    } else {
      just_now = now;
    }
  }
}

std::size_t DirectRunner::room() const {
  const std::size_t busy = running_.size() + line_.ready();
  if (paused_ || suspended_ || busy >= options_.limit || line_.waiting() >= options_.max_waiting) return 0;
  if (options_.in_batches && busy > 0) return 0;
  return std::min(options_.limit - busy, kMostAtOnce);
}

void DirectRunner::tell_if_full() {
  const bool full = line_.waiting() >= options_.max_waiting;
  if (full == full_) return;
  full_ = full;
  if (full) {
    log_.warning("supply_pauses",
                 {{"waiting", line_.waiting()},
                  {"why", "that many updates wait for one before them with the same key; see the snapshot"}});
  } else {
    log_.info("supply_resumes", {{"waiting", line_.waiting()}});
  }
}

asio::awaitable<void> DirectRunner::wait_out(const std::exception_ptr& failure, std::uint32_t in_a_row) {
  const Duration wait = rules::backoff(kFirstBackoff, kMaxBackoff, in_a_row, 0);
  log_.warning("supplier_failed", {{"error", words::text_of(failure)},
                                   {"failed_in_a_row", in_a_row},
                                   {"next_try_s", std::chrono::duration<double>(wait).count()}});
  co_await loop::sleep_for(clock_, wait);
}

// Lets everything end, which timeouts bound: what is deaf to its own is no longer waited for when nothing
// else is left to do.
asio::awaitable<void> DirectRunner::end_of_supply() {
  log_.info("supply_ended", {{"updates_left", line_.size()}});
  while (line_.size() > 0) {
    if (!running_.empty() || may_start() || (suspended_ && line_.any_ready())) {
      co_await one_ended_.wait();
      continue;
    }
    const MonoTime grace = clock_.mono() + kCancelGrace;
    while (running_.empty() && line_.size() > 0 && clock_.mono() < grace)
      co_await one_ended_.wait_until(clock_, grace);
    if (running_.empty()) cancel_all(stuck_);
  }
  closer_.spawn("stop by itself", stop_by_itself());
}

asio::awaitable<void> DirectRunner::stop_by_itself() {
  co_await intake_.join();
  if (state_ != State::running) co_return;
  state_ = State::stopping;
  co_await dismiss_workers();
}

void DirectRunner::accept(std::vector<Update> updates) {
  const WallTime now = clock_.wall();
  for (Update& update : updates) accept(std::move(update), now);
  pump();
}

void DirectRunner::accept(Update update, WallTime now) {
  if (update.received == WallTime()) update.received = now;
  if (!update.unreadable.empty()) {
    refuse(std::move(update));
    return;
  }
  keys_.clear();
  if (!options_.ordered) {
    update.keys.clear();
  } else if (options_.sequentialize) {
    const Result<void> keyed = sequentialize(update, options_.sequentialize);
    if (!keyed) {
      log_.error("sequentialize_failed",
                 {{"update_id", update.id.value()}, {"error", keyed.error().text()}, {"keys", "default"}});
    }
  }
  for (const OrderingKey& key : update.keys) keys_.push_back(key.hash());
  line_.add(to_item(std::move(update)), keys_);
}

void DirectRunner::refuse(Update update) {
  std::string why = "unreadable: " + update.unreadable;
  auto delivery = std::make_shared<const Delivery>(to_item(std::move(update)), false);
  failed(DeliveryFailure(std::move(delivery), std::move(why), nullptr, false));
}

}  // namespace tgkeep::runner
