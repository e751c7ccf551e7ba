// Loads heads and starts deliveries.

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "rules/mutant.hpp"
#include "runner/store_runner.hpp"

namespace tgkeep::runner {

namespace {
constexpr std::size_t kScanBatch = 1000;
constexpr std::size_t kStartBatch = 256;
constexpr Duration kFullPause = std::chrono::seconds(1);  // between tries while the disk is full
}  // namespace

// The store took nothing, but will again. Ends early when the runner stops.
asio::awaitable<void> StoreRunner::wait_out(const Error& error) {
  log_.warning("store_waits", {{"queue", to_string(queue_)}, {"error", error.text()}});
  const MonoTime until = clock_.mono() + kFullPause;
  while (state_ == State::running && clock_.mono() < until) co_await pump_wake_.wait_until(clock_, until);
}

asio::awaitable<void> StoreRunner::scan() {
  while (left_over_ > 0) co_await scan_wake_.wait();
  for (;;) {
    const std::size_t room = std::min(lineup_.scan_room(), kScanBatch);
    if (room == 0) {
      co_await scan_wake_.wait();
      continue;
    }
    const LeaseRequest request(queue_, lineup_.cursor(), room);
    auto heads = co_await store_.lease(request);
    if (!heads && passes_by_itself(heads.error().code())) {
      co_await loop::sleep_for(clock_, kFullPause);
      continue;
    }
    if (!heads) {
      fail(heads.error());
      co_return;
    }
    lineup_.offer(std::move(*heads), now());
    pump_wake_.notify();
    refill_wake_.notify();
  }
}

asio::awaitable<void> StoreRunner::refill() {
  for (;;) {
    const auto wanted = lineup_.next_refill();
    if (!wanted) {
      co_await refill_wake_.wait();
      continue;
    }
    LeaseRequest request(queue_, wanted->after, wanted->limit);
    request.key = wanted->key;
    auto heads = co_await store_.lease(request);
    while (!heads && passes_by_itself(heads.error().code())) {
      co_await loop::sleep_for(clock_, kFullPause);
      heads = co_await store_.lease(request);
    }
    if (!heads) {
      fail(heads.error());
      co_return;
    }
    lineup_.offer_refill(*wanted, std::move(*heads), now());
    pump_wake_.notify();
    scan_wake_.notify();
  }
}

asio::awaitable<void> StoreRunner::pump() {
  while (state_ == State::running && !failure_) {
    const std::optional<MonoTime> next_due = lineup_.wake_due(clock_.mono());
    if (suspects_.is_over(clock_.mono())) {
      const bool renewed = co_await end_solo_window();
      if (!renewed) co_return;
      continue;
    }
    Mark mark = Mark::shared;
    std::vector<Seq> chosen = choose(mark);
    if (chosen.empty()) {
      const MonoTime until = next_look(next_due);
      if (until == MonoTime::max()) {
        co_await pump_wake_.wait();
      } else {
        co_await pump_wake_.wait_until(clock_, until);
      }
      continue;
    }
    auto begun = co_await store_.begin(queue_, chosen, mark);
    while (!begun && passes_by_itself(begun.error().code()) && state_ == State::running) {
      co_await wait_out(begun.error());
      begun = co_await store_.begin(queue_, chosen, mark);
    }
    if (!begun) {
      if (!passes_by_itself(begun.error().code())) fail(begun.error());
      co_return;
    }
    for (const Item& item : *begun) std::erase(chosen, item.seq);
    for (const Seq gone : chosen) lineup_.finish(gone);
    for (Item& item : *begun) launch(std::move(item), mark);
  }
}

// When something may be able to start although nobody wakes the pump.
MonoTime StoreRunner::next_look(std::optional<MonoTime> next_due) const {
  MonoTime until = next_due.value_or(MonoTime::max());
  const MonoTime mono = clock_.mono();
  for (const auto& other :
       {suspects_.ask_again(mono, lineup_.any_suspect_ready(), youngest_start()), target_.next_probe()}) {
    if (other && *other > mono) until = std::min(until, *other);
  }
  return until;
}

std::vector<Seq> StoreRunner::choose(Mark& mark) {
  std::vector<Seq> chosen;
  pause_if_stuck();
  if (paused_ || active_ >= options_.limit) return chosen;
  if (suspended_ && !rules::mutant("pause_ignored")) return chosen;
  if (options_.in_batches && active_ > 0) return chosen;
  if (target_.paused() && !target_.may_probe(clock_.mono())) return chosen;
  const bool suspect_ready = lineup_.any_suspect_ready();
  const auto next =
      suspects_.next(clock_.mono(), suspect_ready, suspect_ready ? youngest_start() : std::nullopt);
  if (next == rules::Suspects::Next::suspect) {
    mark = Mark::solo;
    chosen.push_back(*lineup_.take_suspect());
  } else if (next == rules::Suspects::Next::others) {
    // A batch is started whole.
    std::size_t room = options_.limit - active_;
    if (!options_.in_batches) room = std::min(room, kStartBatch);
    if (target_.paused()) room = 1;  // a probe
    while (chosen.size() < room) {
      const auto seq = lineup_.take_ready();
      if (!seq) break;
      chosen.push_back(*seq);
    }
    if (chosen.empty() && suspect_ready && suspects_.end_turn()) return choose(mark);
  }
  return chosen;
}

std::optional<MonoTime> StoreRunner::youngest_start() const {
  if (running_.empty()) return std::nullopt;
  return running_.back().since;
}

void StoreRunner::pause_if_stuck() {
  const std::size_t stuck = running_.size() - active_;
  if (stuck >= options_.max_stuck && !paused_) {
    paused_ = true;
    log_.error("delivery_paused",
               {{"queue", to_string(queue_)},
                {"stuck", stuck},
                {"remedy", "handlers ignore their timeout; restart the process to cut them off"}});
  } else if (stuck < options_.max_stuck && paused_) {
    paused_ = false;
    log_.info("delivery_resumed", {{"queue", to_string(queue_)}, {"stuck", stuck}});
  }
}

asio::awaitable<bool> StoreRunner::end_solo_window() {
  std::vector<Seq> outlived;
  if (solo_) outlived.push_back(*solo_);
  solo_.reset();
  // Before anything else starts: a crash must no longer count for this one alone.
  if (rules::mutant("suspect_not_renewed")) outlived.clear();
  auto renewed = co_await store_.renew(queue_, outlived);
  while (!renewed && passes_by_itself(renewed.error().code()) && state_ == State::running) {
    co_await wait_out(renewed.error());
    renewed = co_await store_.renew(queue_, outlived);
  }
  suspects_.outlived(clock_.mono());
  if (!renewed && !passes_by_itself(renewed.error().code())) {
    fail(renewed.error());
    co_return false;
  }
  co_return true;
}

void StoreRunner::launch(Item item, Mark mark) {
  const Head& head = lineup_.head(item.seq);
  const WallTime wall = clock_.wall();
  const bool too_late = state_ != State::running || (suspended_ && !rules::mutant("pause_ignored"));
  if (too_late) {
    give_back(item);
  } else if (!item.corrupt.empty()) {
    log_.error("corrupt_item", {{"queue", to_string(queue_)}, {"error", item.corrupt}});
    conclude(item, Outcome::dead("corrupt", item.corrupt), false, false);
  } else if (head.expires && wall >= *head.expires && !rules::mutant("expiry_ignored")) {
    conclude(item, Outcome::dead("expired", "Telegram no longer takes an answer to this " + item.kind), false,
             false);
  } else if (item.crashes >= options_.max_crashes) {
    conclude(item,
             Outcome::dead("crashed",
                           "the process ended " + std::to_string(item.crashes) + " times while this ran"),
             false, false);
  } else {
    const bool late = wall >= item.received + item.lifetime;
    if (item.starts == 0 && item.run == 0) stats_.waits.add(wall - item.received);
    deliver(std::make_shared<const Delivery>(std::move(item), late), mark);
  }
}

void StoreRunner::deliver(std::shared_ptr<const Delivery> delivery, Mark mark) {
  const Seq seq = delivery->item.seq;
  if (rules::mutant("settle_before_handler")) conclude(delivery->item, Outcome::done(), false, false);
  Running& running = running_.emplace_back();
  running_by_seq_.emplace(seq, std::prev(running_.end()));
  running.delivery = std::move(delivery);
  running.since = clock_.mono();
  running.solo = mark == Mark::solo;
  if (!timeout_) set_timeout();
  if (running.solo) {
    solo_ = seq;
    suspects_.started(running.since);
    log_.warning("suspect_starts_alone", {{"queue", to_string(queue_)},
                                          {"seq", seq.value()},
                                          {"update_id", running.delivery->item.update_id.value()},
                                          {"crashes", running.delivery->item.crashes}});
  }
  if (target_.paused()) {
    probe_ = seq;
    target_.probe_started(running.since);
  }
  ++active_;
  ++stats_.started;
  auto on_end = [this, seq](const std::exception_ptr& failure, Outcome outcome) {
    ended(seq, failure, std::move(outcome));
  };
  asio::co_spawn(loop_, run_delivery(running),
                 asio::bind_cancellation_slot(running.cancel.slot(), std::move(on_end)));
}

// As TaskGroup does it: started and ended outside of any cancellation.
asio::awaitable<Outcome> StoreRunner::run_delivery(Running& running) {
  running.started = true;
  if (running.cut_off) throw boost::system::system_error(asio::error::operation_aborted);
  std::shared_ptr<const Delivery> delivery = running.delivery;
  std::exception_ptr failure;
  Outcome outcome;
  try {
    outcome = co_await sink_.deliver(std::move(delivery));
  } catch (...) {
    failure = std::current_exception();
  }
  co_await asio::this_coro::throw_if_cancelled(false);
  if (failure) std::rethrow_exception(failure);
  co_return outcome;
}

}  // namespace tgkeep::runner
