// Ends deliveries: what an outcome means, and writing it.

#include <algorithm>
#include <utility>

#include "rules/mutant.hpp"
#include "runner/report.hpp"
#include "runner/store_runner.hpp"
#include "words/exception_text.hpp"

namespace tgkeep::runner {

namespace {
constexpr Duration kFullPause = std::chrono::seconds(1);

}  // namespace

void StoreRunner::set_timeout() {
  const auto first = std::ranges::find(running_, false, &Running::overdue);
  if (first == running_.end()) {
    timeout_.reset();
  } else {
    timeout_ = clock_.at(first->since + options_.timeout, [this] { end_overdue(); });
  }
}

void StoreRunner::end_overdue() {
  const MonoTime mono = clock_.mono();
  std::vector<Seq> late;
  for (const Running& running : running_) {
    if (running.since + options_.timeout > mono) break;
    if (!running.overdue) late.push_back(running.delivery->item.seq);
  }
  for (const Seq seq : late) timed_out(seq);
  set_timeout();
}

void StoreRunner::timed_out(Seq seq) {
  const auto entry = running_by_seq_.find(seq);
  if (entry == running_by_seq_.end()) return;
  Running& running = *entry->second;
  running.overdue = true;
  --active_;
  ++stats_.timed_out;
  const Item& item = running.delivery->item;
  log_.warning("delivery_timed_out", {{"queue", to_string(queue_)},
                                      {"update_id", item.update_id.value()},
                                      {"kind", item.kind},
                                      {"key", item.keys.empty() ? std::string() : item.keys.front()}});
  pump_wake_.notify();
  report(options_.on_timeout, show(*running.delivery, clock_.mono() - running.since, true), log_);
  cancel(running);
}

void StoreRunner::ended(Seq seq, const std::exception_ptr& failure, Outcome outcome) {
  const auto entry = running_by_seq_.find(seq);
  std::list<Running> ended;
  ended.splice(ended.end(), running_, entry->second);
  running_by_seq_.erase(entry);
  if (running_.empty()) timeout_.reset();
  Running* const running = &ended.front();
  const MonoTime mono = clock_.mono();
  stats_.handling.add(mono - running->since);
  if (!running->overdue) --active_;
  // A suspect that is cut off has not shown that it can end.
  const bool survived = running->solo && !running->cut_off;
  if (solo_ == seq) {
    solo_.reset();
    suspects_.ended(mono);
  }
  if (failure && running->cut_off) {
    outcome = Outcome::postpone(Duration::zero(), "cut off by a stop");
  } else if (failure && running->overdue) {
    outcome = Outcome::retry(timed_out_text(options_.timeout, words::text_of(failure)));
  } else if (failure) {
    outcome = Outcome::retry(words::text_of(failure));
  }
  tell_failure(*running, failure, outcome);
  if (!rules::mutant("settle_before_handler")) {
    const bool no_answer = failure && running->overdue;
    if (!running->cut_off) judge_target(running->delivery->item, outcome, no_answer, mono);
    conclude(running->delivery->item, std::move(outcome), running->cut_off, survived);
    if (options_.log_deliveries) {
      const Duration took = mono - running->since;
      const Duration waited = clock_.wall() - running->delivery->item.received - took;
      log_delivery(log_, *running->delivery, endings_.back().settlement, running->cut_off, waited, took);
    }
  }
  one_ended_.notify();
  pump_wake_.notify();
}

/// What is postponed did not fail.
void StoreRunner::tell_failure(const Running& running, const std::exception_ptr& failure,
                               const Outcome& outcome) const {
  if (!options_.on_error) return;
  if (outcome.kind == Outcome::Kind::done || outcome.kind == Outcome::Kind::postpone) return;
  report(options_.on_error, DeliveryFailure(running.delivery, outcome.error, failure, running.overdue), log_);
}

// A failure while the target is paused is the target's: the item is handed over again and no attempt is
// counted.
void StoreRunner::judge_target(const Item& item, Outcome& outcome, bool no_answer, MonoTime mono) {
  const bool probe = probe_ == item.seq;
  if (probe) probe_.reset();
  const auto& keys = lineup_.head(item.seq).keys;
  bool changed = false;
  if (no_answer && outcome.target == Outcome::Target::fine) {
    // Cancelled at its timeout: that says nothing of the target.
    if (probe && target_.paused()) target_.probe_failed(mono);
    return;
  }
  switch (outcome.target) {
    case Outcome::Target::fine:
      changed = target_.answered();
      break;
    case Outcome::Target::failed:
      changed = target_.failed(keys.empty() ? std::nullopt : std::optional(keys.front()), mono);
      break;
    case Outcome::Target::unreachable:
      changed = target_.unreachable(mono);
      break;
  }
  if (probe && target_.paused()) target_.probe_failed(mono);
  if (changed && target_.paused()) {
    still_.begin(rules::StandStill::Cause::target, mono);
    log_.warning("target_paused", {{"queue", to_string(queue_)}, {"error", outcome.error}});
  } else if (changed) {
    still_.end(rules::StandStill::Cause::target, mono);
    log_.info("target_resumed", {{"queue", to_string(queue_)}});
  }
  if (target_.paused() && outcome.kind == Outcome::Kind::retry && outcome.target != Outcome::Target::fine) {
    outcome.kind = Outcome::Kind::postpone;
    outcome.after.reset();
  }
}

void StoreRunner::conclude(const Item& item, Outcome outcome, bool cut_off, bool survived) {
  if (cut_off && outcome.kind == Outcome::Kind::postpone) {
    give_back(item);
    return;
  }
  const WallTime wall = clock_.wall();
  Ending ending;
  Settlement& settlement = ending.settlement;
  settlement = Settlement(queue_, item.seq, Settlement::Kind::done);
  settlement.error = std::move(outcome.error);
  settlement.survived = survived;
  ending.receipt = std::move(outcome.receipt);
  Duration delay = outcome.after.value_or(Duration::zero());
  switch (outcome.kind) {
    case Outcome::Kind::done:
      settlement.calls = std::move(outcome.calls);
      settlement.state = std::move(outcome.state);
      break;
    case Outcome::Kind::dead:
      settlement.kind = Settlement::Kind::dead;
      settlement.reason = outcome.reason.empty() ? "handler" : std::move(outcome.reason);
      break;
    case Outcome::Kind::postpone:
      settlement.kind = Settlement::Kind::release;
      ending.stays = true;
      break;
    case Outcome::Kind::doubt:
    case Outcome::Kind::retry:
      delay = conclude_failure(item, outcome, ending);
      break;
  }
  ending.due = clock_.mono() + delay;
  // An unreachable receiver named nothing.
  ending.flooded =
      ending.stays && outcome.after > Duration::zero() && outcome.target != Outcome::Target::unreachable;
  if (ending.stays) settlement.due = wall + std::chrono::ceil<std::chrono::milliseconds>(delay);
  endings_.push_back(std::move(ending));
  settle_wake_.notify();
}

/// What a failed attempt or a call in doubt leads to; the delay until the next one, if there is one.
Duration StoreRunner::conclude_failure(const Item& item, const Outcome& outcome, Ending& ending) {
  Settlement& settlement = ending.settlement;
  const bool doubt = outcome.kind == Outcome::Kind::doubt && queue_ == Queue::outbox;
  settlement.kind = doubt ? Settlement::Kind::doubt : Settlement::Kind::retry;
  if (doubt && item.doubt != DoubtPolicy::resend)
    return Duration::zero();  // the store holds it or gives it up
  ending.stays = true;
  if (doubt && target_.paused()) {
    settlement.counts = false;
    return outcome.after.value_or(Duration::zero());
  }
  const double dice = std::uniform_real_distribution<double>()(dice_);
  const auto decision = rules::decide_retry(retry_, item.attempt, failing_for(item.seq), outcome.after, dice);
  if (!decision.is_dead()) return decision.delay();
  settlement.kind = Settlement::Kind::dead;
  settlement.reason = doubt ? "in_doubt" : std::string(decision.reason());
  ending.stays = false;
  return Duration::zero();
}

/// How long it has been failing; time in which all delivery stood still is not this item's.
std::optional<Duration> StoreRunner::failing_for(Seq seq) const {
  const auto since = lineup_.failing_since(seq);
  if (!since) return std::nullopt;
  const MonoTime mono = clock_.mono();
  if (rules::mutant("pause_counted")) return mono - *since;
  return mono - *since - still_.between(*since, mono);
}

void StoreRunner::give_back(const Item& item) {
  Ending& ending = endings_.emplace_back();
  ending.settlement = Settlement(queue_, item.seq, Settlement::Kind::release);
  if (rules::mutant("dropped_at_stop")) ending.settlement.kind = Settlement::Kind::done;
  ending.stays = true;
  ending.due = clock_.mono();
  settle_wake_.notify();
}

asio::awaitable<void> StoreRunner::settle() {
  while (!failure_) {
    if (endings_.empty()) {
      if (closing_) co_return;
      co_await settle_wake_.wait();
      continue;
    }
    std::vector<Ending> batch = std::exchange(endings_, {});
    std::vector<Settlement> settlements;
    settlements.reserve(batch.size());
    for (const Ending& ending : batch) settlements.push_back(ending.settlement);
    const auto written = co_await store_.settle(std::move(settlements));
    if (!written && passes_by_itself(written.error().code())) {
      log_.warning("settle_waits", {{"queue", to_string(queue_)}, {"error", written.error().text()}});
      std::ranges::move(endings_, std::back_inserter(batch));
      endings_ = std::move(batch);
      // A stop does not wait for space: the next start writes them first; after a restart they are handed
      // over again.
      if (closing_) co_return;
      co_await loop::sleep_for(clock_, kFullPause);
      continue;
    }
    if (!written) {
      fail(written.error());
      co_return;
    }
    for (std::size_t i = 0; i < batch.size(); ++i) settled(std::move(batch[i]), (*written)[i]);
    pump_wake_.notify();
    refill_wake_.notify();
    scan_wake_.notify();
  }
}

void StoreRunner::settled(Ending ending, bool written) {
  const Settlement& settlement = ending.settlement;
  if (ending.receipt) ending.receipt->settled(written);
  if (left_over_ > 0) {
    --left_over_;
    return;
  }
  if (!written) {
    log_.warning("stale_settlement", {{"queue", to_string(queue_)}, {"seq", settlement.seq.value()}});
    ending.stays = false;
  } else if (settlement.kind == Settlement::Kind::done) {
    ++stats_.done;
  } else if (settlement.kind == Settlement::Kind::dead) {
    ++stats_.dead;
    log_.warning("dead_letter", {{"queue", to_string(queue_)},
                                 {"seq", settlement.seq.value()},
                                 {"reason", settlement.reason},
                                 {"error", settlement.error}});
  } else if (settlement.kind == Settlement::Kind::retry) {
    ++stats_.retried;
  }
  if (!ending.stays) {
    lineup_.finish(settlement.seq);
    return;
  }
  if (settlement.survived) lineup_.clear_crashes(settlement.seq);
  if (settlement.kind != Settlement::Kind::release && settlement.counts) {
    lineup_.failed(settlement.seq, clock_.mono());
  }
  lineup_.wait_again(settlement.seq, ending.due, ending.flooded);
}

void StoreRunner::fail(const Error& error) {
  if (failure_) return;
  failure_ = error;
  log_.error("runner_failed", {{"queue", to_string(queue_)}, {"error", error.text()}});
  loaders_.cancel();
  pump_wake_.notify();
  settle_wake_.notify();
  one_ended_.notify();
  stopped_.notify();
}

}  // namespace tgkeep::runner
