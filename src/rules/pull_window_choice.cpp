// What a PullWindow hands out next, under which numbers.

#include <algorithm>

#include "rules/pull_number.hpp"
#include "rules/pull_window.hpp"

namespace tgkeep::rules {

template <class Take>
bool PullWindow::each_numbered(Take take) const {
  if (lone_ != nullptr) {
    if (lone_->present && lone_->id >= arrived_) take(*lone_);
    return false;
  }
  bool first = true;
  const bool all_in_hand = numbered_.size() == in_hand_;
  auto place = all_in_hand ? numbered_.lower_bound(arrived_) : numbered_.begin();
  for (; place != numbered_.end(); ++place) {
    Entry& entry = *place->second;
    if (!entry.present || (entry.in_hand && entry.id < arrived_)) continue;
    if (entry.suspect && !entry.passed) {
      if (first && in_hand_ == absent_ + passed_) take(entry);
      return false;
    }
    first = first && entry.passed;
    if (!take(entry)) return false;
  }
  return true;
}

PullWindow::Ready PullWindow::ready(std::size_t limit) const {
  if (closed_) return Ready::nothing;
  std::size_t count = 0;
  if (suspects_ == 0 && arrived_ == PullId()) {
    count = numbered_.size() - absent_ + unnumbered_.size();
  } else {
    bool lone = false;
    auto take = [&](const Entry& entry) {
      lone = entry.suspect && !entry.passed;
      return ++count < limit;
    };
    const bool others = each_numbered(take);
    if (lone) return Ready::full;
    if (others) count += unnumbered_.size();
  }
  if (count == 0) return Ready::nothing;
  return count < limit ? Ready::some : Ready::full;
}

/// What fits into one answer.
class PullWindow::Batch {
 public:
  explicit Batch(Limits limits) : limits_(limits) {}

  /// False: it is full, and what comes after this is no part of it, either.
  bool take(PullId id, const Entry& entry) {
    if (picks.size() >= limits_.updates) return false;
    // It ends where the shown numbers begin again: within one they grow.
    const bool grows = picks.empty() || shown(id) > shown(picks.front().id);
    if (!grows || (!picks.empty() && bytes_ + entry.bytes > limits_.bytes)) return false;
    bytes_ += entry.bytes;
    picks.emplace_back(id, entry.seq);
    return true;
  }
  std::vector<Pick> picks;

 private:
  const Limits limits_;
  std::size_t bytes_ = 0;
};

bool PullWindow::choose_numbered(Batch& batch, bool noted, WallTime now, std::vector<Ended>& ended) {
  std::vector<Entry*> late;
  auto take = [&](Entry& entry) {
    if (noted && !entry.noted) return false;
    if (entry.id <= highest_out_ || !entry.is_late(now)) return batch.take(entry.id, entry);
    late.push_back(&entry);
    return true;
  };
  const bool others = each_numbered(take);
  for (Entry* const entry : late) end(*entry, How::expired, ended);
  return others;
}

std::vector<PullWindow::Pick> PullWindow::choose(Limits limits, WallTime now, std::vector<Ended>& ended) {
  Batch batch(limits);
  if (closed_ || !choose_numbered(batch, false, now, ended)) return std::move(batch.picks);
  bool room = true;
  std::size_t ahead = 0;
  while (!unnumbered_.empty()) {
    Entry& entry = *unnumbered_.begin()->second;
    if (entry.is_late(now)) {
      end(entry, How::expired, ended);
      continue;
    }
    room = room && batch.take(next_, entry);
    if (room) {
      ahead = limits.ahead;
    } else if (ahead > 0) {
      --ahead;
    } else {
      break;
    }
    number(entry);
  }
  return std::move(batch.picks);
}

std::vector<PullWindow::Pick> PullWindow::choose_noted(Limits limits, WallTime now,
                                                       std::vector<Ended>& ended) {
  Batch batch(limits);
  if (!closed_) choose_numbered(batch, true, now, ended);
  return std::move(batch.picks);
}

void PullWindow::number(Entry& entry) {
  unnumbered_.erase(entry.seq);
  entry.id = next_;
  next_ = PullId(next_.value() + 1);
  numbered_.emplace_hint(numbered_.end(), entry.id, &entry);
  unnoted_.emplace_hint(unnoted_.end(), entry.id, &entry);
  forgotten_.erase(entry.seq);
}

std::vector<PullWindow::Note> PullWindow::to_note() {
  std::vector<Note> notes;
  notes.reserve(unnoted_.size() + forgotten_.size());
  for (const auto& [id, entry] : unnoted_) notes.emplace_back(id, entry->seq, false);
  for (const Seq seq : forgotten_) {
    notes.emplace_back(next_, seq, true);
    next_ = PullId(next_.value() + 1);
  }
  return notes;
}

void PullWindow::noted(std::span<const Note> notes) {
  for (const Note& note : notes) {
    if (note.forgotten) {
      forgotten_.erase(note.seq);
      continue;
    }
    const auto place = unnoted_.find(note.id);
    if (place == unnoted_.end()) {
      forgotten_.insert(note.seq);  // gone meanwhile
      continue;
    }
    place->second->noted = true;
    unnoted_.erase(place);
  }
}

std::size_t PullWindow::handed_out(std::span<const Pick> picks) {
  std::size_t fresh = 0;
  for (const Pick& pick : picks) {
    take_in_hand(*numbered_.at(pick.id));
    if (pick.id > highest_out_) ++fresh;
    highest_out_ = std::max(highest_out_, pick.id);
  }
  return fresh;
}

}  // namespace tgkeep::rules
