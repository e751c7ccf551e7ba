#include "prove/sim_checker.hpp"

#include <utility>

namespace tgkeep::prove {

using Kind = Settlement::Kind;
using State = MirrorRow::State;
using Said = MirrorRow::Said;

namespace {

constexpr std::size_t kMaxProblems = 20;
constexpr Duration kSettlingTime = std::chrono::minutes(2);  // how long a settlement may wait for the disk

constexpr std::array<std::string_view, kInvariants> kNames{
    "acknowledged_is_stored",
    "stored_once",
    "handed_over_until_done",
    "settled_as_said",
    "order_per_key",
    "gap_is_told",
    "attempts_bounded",
    "crashes_counted",
    "sums_hold",
    "stop_bounded",
    "recovery_bounded",
    "pause_obeyed",
    "calls_once",
    "state_exact",
};
static_assert(!kNames.back().empty());

}  // namespace

std::string_view to_string(Invariant invariant) noexcept {
  return kNames[static_cast<std::size_t>(invariant)];
}

std::string SimChecker::name(Queue queue, Seq seq, const MirrorRow& row) {
  return std::string(to_string(queue)) + " " + std::to_string(seq.value()) + " (update " +
         std::to_string(row.update.value()) + " of " + (row.key.empty() ? "no key" : row.key) + ")";
}

std::string SimChecker::call_token(UpdateId update, std::uint32_t run, std::uint32_t n) {
  return std::to_string(update.value()) + "." + std::to_string(run) + "." + std::to_string(n);
}

void SimChecker::fail(Invariant invariant, std::string what) {
  ++violations_[static_cast<std::size_t>(invariant)];
  if (problems_.size() < kMaxProblems)
    problems_.push_back(std::string(to_string(invariant)) + ": " + std::move(what));
}

void SimChecker::note(std::string_view what, Queue queue, Seq seq, std::string_view more) const {
  if (!log_) return;
  const Duration now = clock_.mono().time_since_epoch();
  log_->debug(
      what,
      {{"at_ms", now.count() / 1'000'000}, {"queue", to_string(queue)}, {"seq", seq.value()}, {"", more}});
}

void SimChecker::sent(UpdateId update, std::string key) {
  ++steps_;
  keys_[update.value()] = std::move(key);
}

void SimChecker::acknowledged(UpdateId update) {
  ++steps_;
  if (!is_stored(update))
    fail(Invariant::acknowledged_is_stored,
         "update " + std::to_string(update.value()) + " was acknowledged and is not stored");
}

void SimChecker::call_took_effect(const std::string& token) {
  ++steps_;
  const auto found = calls_.find(token);
  if (found == calls_.end()) return fail(Invariant::calls_once, "a call nobody left arrived: " + token);
  MirrorRow& row = *outbox_.find(found->second);
  ++row.effects;
  if (row.state != State::flying)
    fail(Invariant::calls_once, name(Queue::outbox, found->second, row) + " was sent while not in flight");
  const std::int64_t allowed = row.doubt == DoubtPolicy::resend ? 1 + row.doubts : 1;
  if (row.effects > allowed)
    fail(Invariant::calls_once, name(Queue::outbox, found->second, row) + " took effect " +
                                    std::to_string(row.effects) + " times, at most " +
                                    std::to_string(allowed) + " were to be expected");
}

void SimChecker::put(const std::vector<Update>& updates, const std::vector<PutResult>& results) {
  for (std::size_t i = 0; i < updates.size(); ++i) {
    ++steps_;
    const Update& update = updates[i];
    const auto [place, is_new] = seqs_.try_emplace(update.id.value(), results[i].seq);
    if (is_new == results[i].duplicate)
      fail(Invariant::stored_once, "update " + std::to_string(update.id.value()) +
                                       (is_new ? " was taken for a duplicate" : " was stored a second time"));
    note("put", Queue::inbox, results[i].seq, results[i].duplicate ? "duplicate" : "new");
    if (results[i].duplicate) {
      ++inbox_.counts().duplicates;
      continue;
    }
    MirrorRow row;
    row.update = update.id;
    const auto key = keys_.find(update.id.value());
    if (key == keys_.end()) fail(Invariant::stored_once, "an update that was never sent was stored");
    if (key != keys_.end()) row.key = key->second;
    row.received = update.received;
    row.expires = update.answer_expires;
    if (update.unreadable.empty()) {
      inbox_.add(results[i].seq, std::move(row));
    } else {
      inbox_.add_dead(results[i].seq, std::move(row), "unreadable");
    }
  }
}

void SimChecker::begun(const Item& item, Mark mark) {
  ++steps_;
  note("begun", item.queue, item.seq,
       mark == Mark::solo  ? "solo"
       : item.keys.empty() ? ""
                           : item.keys.front());
  QueueMirror& queue = mirror(item.queue);
  MirrorRow* const row = queue.find(item.seq);
  if (row == nullptr || row->state != State::waiting)
    return fail(Invariant::handed_over_until_done,
                "something was begun that does not wait: seq " + std::to_string(item.seq.value()));
  check_start(item, *row, mark);
  queue.begin(item.seq, *row, mark, clock_.mono());
}

void SimChecker::check_start(const Item& item, const MirrorRow& row, Mark mark) {
  const std::string what = name(item.queue, item.seq, row);
  if (item.update_id != row.update || item.run != row.run || item.call != row.call)
    fail(Invariant::handed_over_until_done, what + " is another one than was put");
  if (!mirror(item.queue).is_first(item.seq, row))
    fail(Invariant::order_per_key, what + " was begun before an earlier one of its key was settled");
  if (item.attempt != row.attempts + 1)
    fail(Invariant::attempts_bounded, what + " says attempt " + std::to_string(item.attempt) + " after " +
                                          std::to_string(row.attempts) + " failed ones");
  if (item.attempt > options_.max_attempts)
    fail(Invariant::attempts_bounded, what + " is at attempt " + std::to_string(item.attempt));
  if (item.crashes != row.crashes)
    fail(Invariant::crashes_counted, what + " says " + std::to_string(item.crashes) +
                                         " crashes, there were " + std::to_string(row.crashes));
  if ((item.starts > 0) != (row.starts > 0))
    fail(Invariant::crashes_counted, what + " is wrong about having been handed over before");
  const bool gap = item.queue == Queue::inbox && gaps_.contains(row.key);
  if (item.order_gap != gap)
    fail(Invariant::gap_is_told, what + (gap ? " is not told of the gap before it" : " is told of a gap"));
  check_due(item, row);
  if (item.queue == Queue::inbox) check_turn(item, row, mark);
}

// Across a restart it is the wall clock that counts, and that may have been set.
void SimChecker::check_due(const Item& item, const MirrorRow& row) {
  if (!row.due || row.clock_steps != clock_steps_) return;
  const bool early = row.life == life_ ? clock_.mono() < *row.due : clock_.wall() < row.due_wall;
  const Duration by = row.life == life_ ? *row.due - clock_.mono() : Duration(row.due_wall - clock_.wall());
  if (early)
    fail(Invariant::settled_as_said, name(item.queue, item.seq, row) + " was begun " +
                                         std::to_string(by.count()) + " ns before it was due");
}

void SimChecker::check_turn(const Item& item, const MirrorRow& row, Mark mark) {
  const std::string what = name(Queue::inbox, item.seq, row);
  if (row.crashes >= options_.suspect_after && mark != Mark::solo)
    fail(Invariant::crashes_counted, what + " crashed before and did not run alone");
  const MonoTime now = clock_.mono();
  for (const Seq seq : inbox_.flying()) {
    const MirrorRow& other = *inbox_.find(seq);
    if (!other.started || other.said != Said::nothing) continue;
    if (other.mark == Mark::solo)
      fail(Invariant::crashes_counted,
           what + " was begun beside a suspect, " + name(Queue::inbox, seq, other));
    if (mark == Mark::solo && other.since + options_.suspect_window > now)
      fail(Invariant::crashes_counted,
           what + ", a suspect, was begun beside " + name(Queue::inbox, seq, other));
  }
}

void SimChecker::renewed(Queue queue, const std::vector<Seq>& seqs) {
  for (const Seq seq : seqs) {
    MirrorRow* const row = mirror(queue).find(seq);
    if (row != nullptr && row->state == State::flying) row->mark = Mark::shared;
  }
}

void SimChecker::settled(const Settlement& settlement, bool written) {
  ++steps_;
  note("settled", settlement.queue, settlement.seq,
       std::to_string(static_cast<int>(settlement.kind)) + " " + settlement.reason + " " + settlement.error);
  QueueMirror& queue = mirror(settlement.queue);
  MirrorRow* const found = queue.find(settlement.seq);
  const bool expected = found != nullptr && found->state == State::flying;
  if (written != expected)
    return fail(Invariant::settled_as_said, "seq " + std::to_string(settlement.seq.value()) +
                                                (written ? " was settled and is not in flight"
                                                         : " was not settled though it is in flight"));
  if (!written) return;
  MirrorRow& row = *found;
  if (settlement.queue == Queue::inbox) check_word(settlement, row);
  if (settlement.survived) row.crashes = 0;
  const bool doubt = settlement.kind == Kind::doubt;
  if (doubt) {
    ++queue.counts().in_doubt;
    ++row.doubts;
  }
  if (settlement.kind == Kind::done) return finish_row(settlement, row);
  if (settlement.kind == Kind::dead) {
    // A call may be given up when in doubt: that was its last attempt.
    if (settlement.queue == Queue::outbox) ++row.doubts;
    return die(settlement.queue, settlement.seq, row, settlement.reason);
  }
  if (doubt && row.doubt == DoubtPolicy::skip) return die(settlement.queue, settlement.seq, row, "skipped");
  if (doubt && row.doubt == DoubtPolicy::ask) return queue.hold(settlement.seq, row);
  note_due(settlement, row);
  if (settlement.kind == Kind::release || !settlement.counts) return queue.put_back(settlement.seq, row);
  ++row.attempts;
  if (!row.failing_since) row.failing_since = clock_.mono();
  queue.put_back(settlement.seq, row);
}

void SimChecker::note_due(const Settlement& settlement, MirrorRow& row) {
  row.due_wall = settlement.due;
  row.due = clock_.mono() + (settlement.due - clock_.wall()) - std::chrono::milliseconds(3);
  row.clock_steps = clock_steps_;
  row.life = life_;
  // Perhaps it was written with the time from before the step.
  if (last_step_ != MonoTime::min() && clock_.mono() < last_step_ + kSettlingTime) row.due.reset();
}

void SimChecker::check_word(const Settlement& settlement, const MirrorRow& row) {
  const std::string what = name(Queue::inbox, settlement.seq, row);
  if (settlement.kind == Kind::done && row.said != Said::done)
    fail(Invariant::settled_as_said, what + " was settled as done and its handler has not said so");
  if (settlement.kind == Kind::retry && row.said != Said::failed)
    fail(Invariant::settled_as_said, what + " was settled as failed and its handler has not failed");
  if (settlement.kind == Kind::dead) check_death(settlement, row);
  if (settlement.kind == Kind::release && !row.late && (row.said == Said::done || row.said == Said::dead))
    fail(Invariant::settled_as_said, what + " was put back although its handler was done with it");
  if (settlement.kind == Kind::doubt)
    fail(Invariant::settled_as_said, what + " is an update and was put in doubt");
}

void SimChecker::check_death(const Settlement& settlement, const MirrorRow& row) {
  const std::string& reason = settlement.reason;
  bool right = false;
  if (reason == "scripted") right = row.said == Said::dead;
  if (reason == "attempts") right = row.said == Said::failed && row.attempts + 1 >= options_.max_attempts;
  if (reason == "max_block")
    right = row.said == Said::failed && row.failing_since &&
            own_time_since(*row.failing_since) >= options_.max_block;
  // Decided before it was written: the clock may have been set back in between.
  const WallTime latest = std::max(latest_wall_, clock_.wall());
  if (reason == "expired") right = row.expires && latest >= row.received + std::chrono::seconds(30);
  if (reason == "crashed") right = row.crashes >= options_.max_crashes;
  if (!right)
    fail(Invariant::handed_over_until_done, name(Queue::inbox, settlement.seq, row) +
                                                " was dead-lettered without a reason: " + reason + ", " +
                                                settlement.error);
}

void SimChecker::finish_row(const Settlement& settlement, MirrorRow& row) {
  if (settlement.queue == Queue::outbox && row.effects == 0)
    fail(Invariant::calls_once, name(Queue::outbox, settlement.seq, row) + " is done and never took effect");
  if (settlement.queue == Queue::inbox) gaps_.erase(row.key);
  std::uint32_t n = 0;
  for (const Call& call : settlement.calls) {
    MirrorRow put;
    put.update = row.update;
    put.key = row.key;
    put.run = row.run;
    put.call = n;
    put.doubt = call.doubt;
    const Seq seq = outbox_.next();
    put.token = call_token(row.update, row.run, n);
    if (!calls_.emplace(put.token, seq).second)
      fail(Invariant::calls_once, "a call was put twice: " + put.token);
    outbox_.add(seq, std::move(put));
    ++n;
  }
  for (const StateWrite& write : settlement.state) state_[write.key] = write.bytes.value_or("");
  mirror(settlement.queue).finish(settlement.seq, row);
}

void SimChecker::die(Queue queue, Seq seq, MirrorRow& row, const std::string& reason) {
  const bool leaves_gap = !row.key.empty() && reason != "expired" && reason != "unreadable";
  if (queue == Queue::inbox && leaves_gap) gaps_.insert(row.key);
  mirror(queue).die(seq, row, reason);
}

}  // namespace tgkeep::prove
