#include "prove/queue_mirror.hpp"

#include <utility>

namespace tgkeep::prove {

using State = MirrorRow::State;

MirrorRow& QueueMirror::add(Seq seq, MirrorRow row) {
  MirrorRow& added = rows_.emplace(seq, std::move(row)).first->second;
  last_ = seq;
  added.state = State::waiting;
  if (!added.key.empty()) lanes_[added.key].insert(seq);
  ++counts_.stored;
  ++waiting(added);
  return added;
}

MirrorRow& QueueMirror::add_dead(Seq seq, MirrorRow row, std::string reason) {
  MirrorRow& added = rows_.emplace(seq, std::move(row)).first->second;
  last_ = seq;
  added.state = State::dead;
  added.key.clear();  // what can't be read has none
  ++counts_.stored;
  ++counts_.dead[reason];
  added.reason = std::move(reason);
  return added;
}

MirrorRow* QueueMirror::find(Seq seq) {
  const auto found = rows_.find(seq);
  return found == rows_.end() ? nullptr : &found->second;
}

void QueueMirror::begin(Seq seq, MirrorRow& row, Mark mark, MonoTime now) {
  flying_.insert(seq);
  --waiting(row);
  ++counts_.in_flight;
  row.state = State::flying;
  row.mark = mark;
  row.since = now;
  row.flight = ++flights_;
  row.started = false;
  row.said = MirrorRow::Said::nothing;
  row.late = false;
}

void QueueMirror::put_back(Seq seq, MirrorRow& row) {
  flying_.erase(seq);
  --counts_.in_flight;
  row.state = State::waiting;
  ++row.starts;
  ++waiting(row);
}

void QueueMirror::leave(Seq seq, MirrorRow& row) {
  flying_.erase(seq);
  --counts_.in_flight;
  const auto lane = lanes_.find(row.key);
  if (lane == lanes_.end()) return;
  lane->second.erase(seq);
  if (lane->second.empty()) lanes_.erase(lane);
}

void QueueMirror::finish(Seq seq, MirrorRow& row) {
  leave(seq, row);
  row.state = State::done;
  ++counts_.done;
}

void QueueMirror::die(Seq seq, MirrorRow& row, std::string reason) {
  leave(seq, row);
  row.state = State::dead;
  ++counts_.dead[reason];
  row.reason = std::move(reason);
}

void QueueMirror::hold(Seq seq, MirrorRow& row) {
  leave(seq, row);
  row.state = State::held;
  ++counts_.held;
}

MirrorRow& QueueMirror::revive(Seq from, Seq to) {
  MirrorRow row = rows_.at(from);
  if (row.state == State::held) {
    --counts_.held;
  } else if (--counts_.dead[row.reason] == 0) {
    counts_.dead.erase(row.reason);
  }
  rows_.erase(from);
  row.attempts = 0;
  row.crashes = 0;
  row.starts = 0;
  ++row.run;
  row.expires = false;
  row.due.reset();
  row.effects = 0;
  row.doubts = 0;
  --counts_.stored;
  return add(to, std::move(row));
}

bool QueueMirror::is_first(Seq seq, const MirrorRow& row) const {
  const auto lane = lanes_.find(row.key);
  return lane == lanes_.end() || *lane->second.begin() == seq;
}

std::vector<Seq> QueueMirror::buried() const {
  std::vector<Seq> buried;
  for (const auto& [seq, row] : rows_) {
    if (row.state == State::dead || row.state == State::held) buried.push_back(seq);
  }
  return buried;
}

std::string QueueMirror::difference(const QueueCounts& found) const {
  const auto differ = [](const char* what, std::int64_t is, std::int64_t should) {
    return std::string(what) + " is " + std::to_string(is) + " and should be " + std::to_string(should);
  };
  if (found.stored != counts_.stored) return differ("stored", found.stored, counts_.stored);
  if (found.duplicates != counts_.duplicates)
    return differ("duplicates", found.duplicates, counts_.duplicates);
  if (found.pending != counts_.pending) return differ("pending", found.pending, counts_.pending);
  if (found.in_flight != counts_.in_flight) return differ("in_flight", found.in_flight, counts_.in_flight);
  if (found.retrying != counts_.retrying) return differ("retrying", found.retrying, counts_.retrying);
  if (found.held != counts_.held) return differ("held", found.held, counts_.held);
  if (found.done != counts_.done) return differ("done", found.done, counts_.done);
  if (found.in_doubt != counts_.in_doubt) return differ("in_doubt", found.in_doubt, counts_.in_doubt);
  if (found.dead != counts_.dead) return "the dead letters by reason differ";
  return "";
}

}  // namespace tgkeep::prove
