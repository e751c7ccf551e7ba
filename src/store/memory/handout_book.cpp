#include "store/memory/handout_book.hpp"

#include <algorithm>

#include "store/handout_order.hpp"

namespace tgkeep::store {

Result<void> HandoutBook::note(const std::vector<Handout>& handouts, const Waits& waits) {
  if (const auto wrong = wrong_order(handouts, last_)) return *wrong;
  for (const Handout& handout : handouts) {
    entries_.emplace_hint(entries_.end(), handout.id, Entry(handout));
    of_[handout.seq].push_back(handout.id);
    last_ = handout.id;
  }
  sweep(handouts.size(), waits);
  return Result<void>();
}

void HandoutBook::sweep(std::size_t noted, const Waits& waits) {
  const PullId before(last_.value() - kHandoutsKept);
  auto entry = entries_.upper_bound(swept_);
  for (std::size_t left = slice_to_sweep(noted); left > 0; --left) {
    if (entry == entries_.end() || entry->first >= before) {
      swept_ = PullId();
      return;
    }
    swept_ = entry->first;
    const auto one = entry++;
    if (!waits(one->second.handout.seq)) forget(one);
  }
}

void HandoutBook::forget(std::map<PullId, Entry>::iterator entry) {
  const auto numbers = of_.find(entry->second.handout.seq);
  std::erase(numbers->second, entry->first);
  if (numbers->second.empty()) of_.erase(numbers);
  entries_.erase(entry);
}

void HandoutBook::done(Seq seq) {
  const auto numbers = of_.find(seq);
  if (numbers == of_.end()) return;
  for (const PullId id : numbers->second) entries_.at(id).done = true;
}

std::vector<Handout> HandoutBook::open(const Waits& waits) const {
  std::vector<Handout> open;
  for (const auto& [id, entry] : entries_) {
    const Handout& handout = entry.handout;
    if (id == of_.at(handout.seq).back() && waits(handout.seq)) open.push_back(handout);
  }
  return open;
}

std::vector<Handout> HandoutBook::done_since(WallTime from, std::size_t limit) const {
  std::vector<Handout> done;
  for (auto place = entries_.rbegin(); place != entries_.rend() && done.size() < limit; ++place) {
    const auto& entry = place->second;
    if (entry.done && entry.handout.at >= from) done.push_back(entry.handout);
  }
  std::ranges::reverse(done);
  return done;
}

std::optional<Handout> HandoutBook::find(PullId id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return std::nullopt;
  return found->second.handout;
}

std::optional<Handout> HandoutBook::find_seen_as(std::int64_t update_id) const {
  return find(last_shown_as(update_id, last_));
}

std::vector<Handout> HandoutBook::of(Seq seq) const {
  std::vector<Handout> all;
  const auto numbers = of_.find(seq);
  if (numbers == of_.end()) return all;
  for (const PullId id : numbers->second) all.push_back(entries_.at(id).handout);
  return all;
}

}  // namespace tgkeep::store
