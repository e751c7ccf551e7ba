// What the checker holds about a whole process: crashes, stops, handlers, and the end of a run.

#include <utility>

#include "prove/sim_checker.hpp"

namespace tgkeep::prove {

using State = MirrorRow::State;
using Said = MirrorRow::Said;

namespace {
constexpr Duration kStopMargin = std::chrono::seconds(2);
}

std::int64_t SimChecker::handler_started(const Item& item, std::int64_t session) {
  ++steps_;
  MirrorRow* const row = inbox_.find(item.seq);
  if (row == nullptr || row->state != State::flying || row->started) {
    fail(Invariant::handed_over_until_done,
         "a handler was called for what is not in flight, or twice: seq " + std::to_string(item.seq.value()));
    return 0;
  }
  row->started = true;
  check_pause(Queue::inbox, name(Queue::inbox, item.seq, *row));
  const WallTime gone = row->received + std::chrono::seconds(35);
  if (row->expires && clock_.wall() > gone && clock_.mono() > last_step_ + std::chrono::seconds(60))
    fail(Invariant::handed_over_until_done,
         name(Queue::inbox, item.seq, *row) + " was handed over after it had expired");
  note("started", Queue::inbox, item.seq);
  if (row->key.empty()) return row->flight;
  const auto beside = running_.find(row->key);
  if (beside != running_.end() && beside->second.session == session)
    fail(Invariant::order_per_key, name(Queue::inbox, item.seq, *row) + " was handled while seq " +
                                       std::to_string(beside->second.seq.value()) + " of its key was");
  running_.insert_or_assign(row->key, Running(session, row->flight, item.seq));
  return row->flight;
}

void SimChecker::handler_ended(const Item& item, std::int64_t flight, Said said, bool late) {
  ++steps_;
  note("ended", Queue::inbox, item.seq, std::to_string(static_cast<int>(said)));
  MirrorRow* const row = inbox_.find(item.seq);
  if (row == nullptr) return;
  const auto running = running_.find(row->key);
  if (running != running_.end() && running->second.flight == flight) running_.erase(running);
  if (row->state == State::flying && row->flight == flight) {
    row->said = said;
    row->late = late;
  }
}

void SimChecker::call_began() {
  ++steps_;
  check_pause(Queue::outbox, "a call");
}

void SimChecker::paused(Queue queue) {
  note("paused", queue, Seq());
  (queue == Queue::inbox ? inbox_pause_ : outbox_pause_) = clock_.mono();
}

void SimChecker::resumed(Queue queue) {
  std::optional<MonoTime>& pause = queue == Queue::inbox ? inbox_pause_ : outbox_pause_;
  if (!pause) return;
  note("resumed", queue, Seq());
  if (queue == Queue::inbox) inbox_pauses_.emplace_back(*pause, clock_.mono());
  pause.reset();
}

// What was started at the same instant may have been on its way.
void SimChecker::check_pause(Queue queue, const std::string& what) {
  const std::optional<MonoTime>& since = pause_of(queue);
  if (since && clock_.mono() > *since)
    fail(Invariant::pause_obeyed,
         what + " was started although the " + std::string(to_string(queue)) + " is paused");
}

Duration SimChecker::own_time_since(MonoTime since) const {
  const MonoTime now = clock_.mono();
  Duration own = now - since;
  for (const auto& [from, to] : inbox_pauses_) own -= std::max(to - std::max(from, since), Duration::zero());
  if (inbox_pause_) own -= now - std::max(*inbox_pause_, since);
  return own;
}

void SimChecker::revived(Queue queue, Seq from, Seq to) {
  ++steps_;
  note("revived", queue, from, std::to_string(to.value()));
  const MirrorRow& row = mirror(queue).revive(from, to);
  if (queue == Queue::outbox) calls_[row.token] = to;
}

// One that has outlived its window is taken for innocent, by contract: others may run beside it.
void SimChecker::crashed(Seq culprit) {
  ++steps_;
  note("crashed", Queue::inbox, culprit);
  const MirrorRow* const row = inbox_.find(culprit);
  const bool in_window = row != nullptr && clock_.mono() < row->since + options_.suspect_window;
  culprit_ = in_window ? culprit : Seq();
}

void SimChecker::reopened() {
  ++steps_;
  const Seq culprit = std::exchange(culprit_, Seq());
  note("reopened", Queue::inbox, culprit);
  bool suspect = false;
  const std::set<Seq> inbox = inbox_.flying();
  for (const Seq seq : inbox) suspect = suspect || inbox_.find(seq)->mark == Mark::solo;
  for (const Seq seq : inbox) {
    MirrorRow& row = *inbox_.find(seq);
    const bool solo = row.mark == Mark::solo;
    if (solo || !suspect) ++row.crashes;
    if (!solo) {
      inbox_.put_back(seq, row);
      continue;
    }
    if (row.crashes <= options_.suspect_after)
      fail(Invariant::crashes_counted, name(Queue::inbox, seq, row) + " died of its first crashes");
    if (culprit != Seq() && culprit != seq)
      fail(Invariant::crashes_counted,
           name(Queue::inbox, seq, row) + " died of the fault of seq " + std::to_string(culprit.value()));
    die(Queue::inbox, seq, row, "crashed");
  }
  const std::set<Seq> outbox = outbox_.flying();
  for (const Seq seq : outbox) {
    MirrorRow& row = *outbox_.find(seq);
    ++outbox_.counts().in_doubt;
    ++row.doubts;
    if (row.doubt == DoubtPolicy::ask) {
      outbox_.hold(seq, row);
    } else if (row.doubt == DoubtPolicy::skip) {
      die(Queue::outbox, seq, row, "skipped");
    } else {
      outbox_.put_back(seq, row);
    }
  }
}

void SimChecker::compare(const StoreCounts& counts, const std::string& audit) {
  ++steps_;
  if (!audit.empty()) fail(Invariant::sums_hold, audit);
  const std::string inbox = inbox_.difference(counts.inbox);
  if (!inbox.empty()) fail(Invariant::sums_hold, "inbox: " + inbox);
  const std::string outbox = outbox_.difference(counts.outbox);
  if (!outbox.empty()) fail(Invariant::sums_hold, "outbox: " + outbox);
}

void SimChecker::stopped(Duration took, Duration drain, bool store_took_nothing) {
  ++steps_;
  note("stopped", Queue::inbox, Seq(),
       std::to_string(took.count() / 1'000'000) + " of " + std::to_string(drain.count() / 1'000'000) + " ms");
  if (took > drain + kStopMargin)
    fail(Invariant::stop_bounded,
         "a stop took " +
             std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()) + " ms");
  if (store_took_nothing) return;
  const std::size_t left = inbox_.flying().size() + outbox_.flying().size();
  if (left > 0)
    fail(Invariant::stop_bounded, "a stop left " + std::to_string(left) + " deliveries in flight");
}

void SimChecker::finish(const std::function<std::optional<std::string>(const std::string& key)>& state) {
  for (const auto& [update, key] : keys_) {
    if (!seqs_.contains(update))
      fail(Invariant::acknowledged_is_stored, "update " + std::to_string(update) + " never arrived");
  }
  for (const auto& [seq, row] : inbox_.rows()) {
    if (row.state != State::done && row.state != State::dead)
      fail(Invariant::handed_over_until_done, name(Queue::inbox, seq, row) + " was never settled");
  }
  for (const auto& [seq, row] : outbox_.rows()) {
    if (row.state == State::waiting || row.state == State::flying)
      fail(Invariant::calls_once, name(Queue::outbox, seq, row) + " was never sent");
  }
  for (const auto& [key, bytes] : state_) {
    if (state(key) != bytes)
      fail(Invariant::state_exact, "the state of " + key + " is not what was written last");
  }
}

}  // namespace tgkeep::prove
