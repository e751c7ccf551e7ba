// Starts deliveries and ends them.

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "runner/direct_runner.hpp"
#include "runner/report.hpp"
#include "words/exception_text.hpp"

namespace tgkeep::runner {

namespace {
// Handlers that never suspend would keep the loop for themselves: after so many starts others have a turn.
constexpr std::size_t kTurn = 64;
}  // namespace

bool DirectRunner::may_start() const {
  return state_ == State::running && !paused_ && !suspended_ && line_.any_ready() &&
         running_.size() < options_.limit;
}

void DirectRunner::pump() {
  if (std::exchange(pumping_, true)) return;
  while (may_start() && turn_ < kTurn) {
    // One that does not rest yet is on its way here, below in this very stack.
    const MonoTime now = clock_.mono();
    if (idle_.empty() || !idle_.back().resting()) {
      hire(now);
    } else {
      Worker& worker = idle_.back();
      begin(worker, now);
      worker.wake();
    }
  }
  pumping_ = false;
  if (may_start()) pump_later();
}

void DirectRunner::pump_later() {
  if (std::exchange(pump_is_due_, true)) return;
  asio::post(loop_, [this] {
    pump_is_due_ = false;
    turn_ = 0;
    one_ended_.notify();
    pump();
  });
}

/// For a worker that has just ended one: cheaper than to rest and be woken.
bool DirectRunner::take(Worker& worker, MonoTime now) {
  const bool taken = may_start() && turn_ < kTurn;
  if (taken) begin(worker, now);
  if (!pumping_ && may_start()) pump_later();
  return taken;
}

void DirectRunner::begin(Worker& worker, MonoTime now) {
  worker.slot = line_.take_ready();
  Item& item = line_.item(worker.slot);
  const WallTime wall = clock_.wall();
  const bool late = wall >= item.received + item.lifetime;
  if (item.starts == 0) stats_.waits.add(wall - item.received);
  worker.delivery = std::make_shared<const Delivery>(std::move(item), late);
  worker.since = now;
  worker.overdue = false;
  running_.splice(running_.end(), idle_, worker.place);
  ++turn_;
  ++stats_.started;
  if (!timeout_) set_timeout();
}

void DirectRunner::hire(MonoTime now) {
  Worker& worker = idle_.emplace_back();
  worker.place = std::prev(idle_.end());
  begin(worker, now);
  auto on_end = [this, place = worker.place](const std::exception_ptr&) {
    idle_.erase(place);
    one_ended_.notify();
  };
  asio::co_spawn(loop_, work(worker), asio::bind_cancellation_slot(worker.signal.slot(), std::move(on_end)));
}

asio::awaitable<void> DirectRunner::work(Worker& worker) {
  worker.begun = true;
  while (worker.delivery) {
    std::shared_ptr<const Delivery> delivery = worker.delivery;
    std::exception_ptr failure;
    Outcome outcome = Outcome::done();
    try {
      if (worker.cut_off) throw boost::system::system_error(asio::error::operation_aborted);
      outcome = co_await sink_.deliver(std::move(delivery));
    } catch (...) {
      failure = std::current_exception();
    }
    // The next one starts outside of any cancellation.
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await asio::this_coro::reset_cancellation_state();
    co_await asio::this_coro::throw_if_cancelled(true);
    const MonoTime now = clock_.mono();
    ended(worker, now, failure, std::move(outcome));
    if (!take(worker, now)) co_await worker.rest();
  }
}

void DirectRunner::ended(Worker& worker, MonoTime now, const std::exception_ptr& failure, Outcome outcome) {
  const auto delivery = std::exchange(worker.delivery, nullptr);
  const bool late = std::exchange(worker.overdue, false);
  const bool cut_off = std::exchange(worker.cut_off, false);
  idle_.splice(idle_.end(), late ? stuck_ : running_, worker.place);
  // Postponed: no thread was free for it, so it never began.
  const bool began = outcome.kind != Outcome::Kind::postpone;
  if (began) stats_.handling.add(now - worker.since);
  if (!began || (cut_off && failure)) {
    Item item = delivery->item;
    if (began) ++item.starts;
    line_.put_back(worker.slot, std::move(item));
    if (cut_off) ++cut_off_;
  } else {
    line_.finish(worker.slot);
    conclude(delivery, failure, std::move(outcome), late);
  }
  if (late) pause_if_stuck();
  room_changed_.notify();
  one_ended_.notify();
}

void DirectRunner::conclude(std::shared_ptr<const Delivery> delivery, const std::exception_ptr& failure,
                            Outcome outcome, bool late) {
  std::string error;
  if (failure) {
    error = words::text_of(failure);
    if (late) error = timed_out_text(options_.timeout, error);
  } else if (outcome.kind != Outcome::Kind::done) {
    error = std::move(outcome.error);
  } else if (!outcome.calls.empty() || !outcome.state.empty()) {
    error = "it left calls or state, and without a store they have nowhere to go: use run(options, handler)";
  } else {
    ++stats_.done;
    return;
  }
  failed(DeliveryFailure(std::move(delivery), std::move(error), failure, late));
}

void DirectRunner::failed(const DeliveryFailure& failure) {
  ++stats_.dead;
  const Item& item = failure.delivery->item;
  log_.warning("update_failed", {{"update_id", item.update_id.value()},
                                 {"kind", item.kind},
                                 {"key", item.keys.empty() ? std::string() : item.keys.front()},
                                 {"late", failure.late ? "yes" : "no"},
                                 {"error", failure.error}});
  report(options_.on_error, failure, log_);
}

void DirectRunner::set_timeout() {
  if (running_.empty()) {
    timeout_.reset();
  } else {
    timeout_ = clock_.at(running_.front().since + options_.timeout, [this] { end_overdue(); });
  }
}

void DirectRunner::end_overdue() {
  const MonoTime mono = clock_.mono();
  while (!running_.empty() && running_.front().since + options_.timeout <= mono) {
    Worker& worker = running_.front();
    stuck_.splice(stuck_.end(), running_, worker.place);
    worker.overdue = true;
    ++stats_.timed_out;
    const Item& item = worker.delivery->item;
    log_.warning("delivery_timed_out", {{"update_id", item.update_id.value()},
                                        {"kind", item.kind},
                                        {"key", item.keys.empty() ? std::string() : item.keys.front()}});
    report(options_.on_timeout, show(*worker.delivery, mono - worker.since, true), log_);
    worker.cancel();
  }
  pause_if_stuck();
  set_timeout();
  room_changed_.notify();
  one_ended_.notify();
  pump();
}

void DirectRunner::pause_if_stuck() {
  const bool too_many = stuck_.size() >= options_.max_stuck;
  if (too_many == paused_) return;
  paused_ = too_many;
  if (paused_) {
    log_.error("delivery_paused",
               {{"stuck", stuck_.size()},
                {"remedy", "handlers ignore their timeout; stop and start, or restart the process"}});
  } else {
    log_.info("delivery_resumed", {{"stuck", stuck_.size()}});
    pump_later();
  }
}

}  // namespace tgkeep::runner
