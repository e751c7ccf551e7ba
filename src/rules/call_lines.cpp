#include "rules/call_lines.hpp"

#include <algorithm>

#include "rules/mutant.hpp"

namespace tgkeep::rules {

namespace {

constexpr std::array kRanks{CallAsk::Rank::urgent, CallAsk::Rank::reading, CallAsk::Rank::sending,
                            CallAsk::Rank::bulk};

}  // namespace

CallLines::CallLines(CallLimits limits) : limits_(limits), pace_(limits.bulk_rate) {}

std::optional<CallLines::Id> CallLines::add(CallAsk ask, MonoTime now) {
  if (waiting() >= limits_.waiting) return std::nullopt;
  if (bytes_ > 0 && bytes_ + ask.bytes > limits_.bytes) return std::nullopt;
  if (mutant("face_forgets_chat_order")) ask.in_order = false;
  const Id id = ++last_;
  Entry& entry = calls_.emplace(id, Entry(std::move(ask))).first->second;
  Line& line = lines_[entry.ask.line];
  (entry.ask.in_order ? line.in_order : line.others).insert(id);
  bytes_ += entry.ask.bytes;
  deadlines_.emplace(entry.ask.until, id);
  judge(id, entry, now);
  place(id, entry, now);
  return id;
}

/// Puts a waiting call where `start` finds it, if nothing stands before it in its line.
void CallLines::place(Id id, Entry& entry, MonoTime now) {
  unplace(id, entry);
  if (entry.running || entry.doomed) return;
  const Line& line = lines_.at(entry.ask.line);
  if (entry.ask.in_order && *line.in_order.begin() != id) return;
  const MonoTime due = std::max(entry.not_before, line.held_until.value_or(MonoTime::min()));
  if (due > now) {
    timed_.emplace(due, id);
    entry.timed = due;
  } else {
    ready(entry.ask.rank).insert(id);
    entry.ready = true;
  }
}

void CallLines::unplace(Id id, Entry& entry) {
  if (entry.timed) timed_.erase({*entry.timed, id});
  if (entry.ready) ready(entry.ask.rank).erase(id);
  entry.timed.reset();
  entry.ready = false;
}

void CallLines::place_head(const Line& line, MonoTime now) {
  if (line.in_order.empty()) return;
  const Id head = *line.in_order.begin();
  place(head, calls_.at(head), now);
}

/// Gives up what may not wait as long as it would have to.
void CallLines::judge(Id id, Entry& entry, MonoTime now) {
  if (entry.running) return;
  const MonoTime due = std::max(entry.not_before, now + wait_of(entry.ask, now));
  if (due <= now || entry.ask.until >= due) return;
  entry.doomed = true;
  doomed_.insert(id);
}

std::optional<CallLines::Id> CallLines::give_up(MonoTime now) {
  pass_time(now);
  std::optional<Id> lost;
  if (!doomed_.empty()) {
    lost = *doomed_.begin();
  } else if (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    lost = deadlines_.begin()->second;
  }
  if (lost) end(*lost);
  return lost;
}

std::optional<CallLines::Id> CallLines::start(MonoTime now) {
  pass_time(now);
  const std::optional<Id> chosen = choose(now);
  if (!chosen) return std::nullopt;
  Entry& entry = calls_.at(*chosen);
  unplace(*chosen, entry);
  deadlines_.erase({entry.ask.until, *chosen});
  entry.running = true;
  ++running_;
  return chosen;
}

std::optional<CallLines::Id> CallLines::choose(MonoTime now) {
  if (!ready(Rank::urgent).empty() && running_ < limits_.running + limits_.running / 4) {
    return *ready(Rank::urgent).begin();
  }
  if (running_ >= limits_.running) return std::nullopt;
  std::optional<Id> first;
  for (const Rank rank : kRanks) {
    if (ready(rank).empty() || (obeys_all(rank) && all_held_until_ > now)) continue;
    if (rank == Rank::bulk && pace_.next(now) > now) continue;
    const Id id = *ready(rank).begin();
    if (!first || id < *first) first = id;
  }
  if (first && calls_.at(*first).ask.rank == Rank::bulk && !pace_.take(now)) return std::nullopt;
  return first;
}

void CallLines::end(Id id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  Entry& entry = found->second;
  unplace(id, entry);
  doomed_.erase(id);
  if (entry.running) {
    --running_;
  } else {
    deadlines_.erase({entry.ask.until, id});
  }
  bytes_ -= entry.ask.bytes;
  const std::string name = entry.ask.line;
  calls_.erase(found);
  Line& line = lines_.at(name);
  line.others.erase(id);
  // Whatever time it is now: `start` looks again at what is placed too late.
  if (line.in_order.erase(id) > 0) place_head(line, MonoTime::min());
  forget_if_empty(name);
}

void CallLines::again(Id id, MonoTime not_before, MonoTime now) {
  Entry& entry = calls_.at(id);
  if (!entry.running) return;
  entry.running = false;
  --running_;
  entry.not_before = not_before;
  deadlines_.emplace(entry.ask.until, id);
  judge(id, entry, now);
  place(id, entry, now);
}

void CallLines::hold(const std::string& name, MonoTime until, MonoTime now) {
  if (until <= now) return;
  Line& line = lines_[name];
  if (line.held_until && *line.held_until >= until) return;
  if (line.held_until) holds_.erase({*line.held_until, name});
  line.held_until = until;
  holds_.emplace(until, name);
  for (const std::set<Id>* const calls : {&line.in_order, &line.others}) {
    for (const Id id : *calls) {
      Entry& entry = calls_.at(id);
      judge(id, entry, now);
      place(id, entry, now);
    }
  }
}

void CallLines::hold_all(MonoTime until, MonoTime now) {
  if (until <= std::max(now, all_held_until_)) return;
  all_held_until_ = until;
  for (auto& [id, entry] : calls_) {
    if (!obeys_all(entry.ask.rank) || entry.running) continue;
    judge(id, entry, now);
    if (entry.doomed) unplace(id, entry);
  }
}

void CallLines::pass_time(MonoTime now) {
  while (!holds_.empty() && holds_.begin()->first <= now) {
    const std::string name = holds_.begin()->second;
    holds_.erase(holds_.begin());
    lines_.at(name).held_until.reset();
    forget_if_empty(name);
  }
  while (!timed_.empty() && timed_.begin()->first <= now) {
    const Id id = timed_.begin()->second;
    place(id, calls_.at(id), now);
  }
}

void CallLines::forget_if_empty(const std::string& name) {
  const auto line = lines_.find(name);
  if (line != lines_.end() && line->second.empty()) lines_.erase(line);
}

std::optional<MonoTime> CallLines::next() const {
  std::optional<MonoTime> first;
  const auto consider = [&first](MonoTime when) { first = std::min(first.value_or(when), when); };
  if (!doomed_.empty()) return MonoTime::min();
  if (!deadlines_.empty()) consider(deadlines_.begin()->first);
  if (!holds_.empty()) consider(holds_.begin()->first);
  if (!timed_.empty()) consider(timed_.begin()->first);
  if (running_ >= limits_.running) return first;  // an end comes first
  if (!ready(Rank::sending).empty()) consider(all_held_until_);
  if (!ready(Rank::bulk).empty()) consider(std::max(all_held_until_, pace_.next(all_held_until_)));
  return first;
}

Duration CallLines::wait_of(const CallAsk& ask, MonoTime now) const {
  MonoTime until = now;
  const auto line = lines_.find(ask.line);
  if (line != lines_.end()) until = std::max(until, line->second.held_until.value_or(now));
  if (obeys_all(ask.rank)) until = std::max(until, all_held_until_);
  return until - now;
}

}  // namespace tgkeep::rules
