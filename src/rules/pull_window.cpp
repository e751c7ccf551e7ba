#include "rules/pull_window.hpp"

#include <algorithm>

#include "rules/mutant.hpp"
#include "rules/pull_number.hpp"

namespace tgkeep::rules {

namespace {
// After a power cut the book may lack the last ones: new numbers stay above whatever the bot has seen.
constexpr std::int64_t kJump = 1000;
}  // namespace

PullWindow::PullWindow(std::uint32_t suspect_after, std::uint32_t max_lone_restarts)
    : suspect_after_(suspect_after), max_lone_restarts_(max_lone_restarts) {}

void PullWindow::begin(PullId last, std::span<const std::pair<PullId, Seq>> open) {
  knows_others_ = last > PullId();
  next_ = knows_others_ ? PullId(last.value() + 1 + kJump) : PullId(1);
  highest_out_ = last;
  for (const auto& [id, seq] : open) {
    const auto [place, fresh] = entries_.try_emplace(seq, seq, 0U, std::nullopt);
    Entry& entry = place->second;
    if (fresh) {
      entry.present = false;
    } else {
      unnumbered_.erase(seq);
    }
    entry.id = id;
    entry.noted = true;
    numbered_.emplace(id, &entry);
    take_in_hand(entry);
  }
}

PullWindow::Arrival PullWindow::arrive(Seq seq, std::size_t bytes, std::optional<WallTime> expires) {
  if (early_.erase(seq) > 0) return Arrival::early;
  const auto known = entries_.find(seq);
  if (seq <= dropped_until_ || closed_) {
    if (known != entries_.end()) remove(known->second, false);
    return seq <= dropped_until_ ? Arrival::dropped : Arrival::closed;
  }
  if (known != entries_.end()) {
    Entry& entry = known->second;
    entry.bytes = bytes;
    entry.expires = expires;
    if (!entry.present) --absent_;
    entry.present = true;
    return Arrival::waits;
  }
  Entry& entry = entries_.try_emplace(seq, seq, bytes, expires).first->second;
  unnumbered_.emplace(seq, &entry);
  return Arrival::waits;
}

bool PullWindow::leave(Seq seq) {
  const auto known = entries_.find(seq);
  if (known == entries_.end()) return false;
  Entry& entry = known->second;
  if (!entry.in_hand) {
    remove(entry, false);
    return false;
  }
  if (entry.present) ++absent_;
  entry.present = false;
  return true;
}

bool PullWindow::poll(std::int64_t offset, bool settles, std::vector<Ended>& ended) {
  if (offset == 1) offset = 0;  // the one after none: how several libraries begin
  const bool possible = offset > 0 && offset <= kShownPullIds + 1;
  const PullId at = possible ? number_shown_as(offset, next_) : PullId();
  if (!polled_) return first_poll(offset, at, settles, ended);
  const bool believed = possible && at <= PullId(highest_out_.value() + 1);
  if (offset > 0 && !believed && !mutant("pull_confirms_all")) {
    if (!settles) arrived_ = PullId();
    return false;
  }
  if (!settles) confirm(at, ended);
  const bool restarted = offset == 0 ? offset_ > PullId() || in_hand_ > 0 : at < offset_;
  if (restarted) begin_anew(ended);
  offset_ = at;
  arrived_ = settles && !restarted ? at : PullId();
  return restarted;
}

bool PullWindow::first_poll(std::int64_t offset, PullId at, bool settles, std::vector<Ended>& ended) {
  polled_ = true;
  offset_ = at;
  if (at > PullId(highest_out_.value() + 1)) {
    next_ = std::max(next_, at);
    highest_out_ = PullId(at.value() - 1);
    forget_numbers(PullId());
    return false;
  }
  if (settles) {
    arrived_ = adopted_below_ = at;
  } else {
    confirm(at, ended);
  }
  forget_numbers(at);
  return offset == 0 && knows_others_;
}

void PullWindow::confirm(PullId below, std::vector<Ended>& ended) {
  for (auto place = numbered_.begin(); place != numbered_.end() && place->first < below;) {
    Entry& entry = *place->second;
    ++place;
    if (entry.in_hand || mutant("pull_confirms_all")) end(entry, How::done, ended);
  }
}

void PullWindow::forget_numbers(PullId from) {
  for (auto place = numbered_.lower_bound(from); place != numbered_.end();) {
    Entry& entry = *place->second;
    ++place;
    forget_number(entry);
  }
}

void PullWindow::forget_number(Entry& entry) {
  if (!entry.present) {
    remove(entry, false);
    return;
  }
  put_down(entry);
  if (entry.noted) {
    forgotten_.insert(entry.seq);
  } else {
    unnoted_.erase(entry.id);
  }
  numbered_.erase(entry.id);
  entry.id = PullId();
  entry.noted = false;
  unnumbered_.emplace(entry.seq, &entry);
}

bool PullWindow::has_adopted() const {
  return !numbered_.empty() && numbered_.begin()->first < adopted_below_;
}

bool PullWindow::renew(std::int64_t shown) {
  Entry* const entry = held(shown);
  if (entry != nullptr) entry->renewed = true;
  return entry != nullptr;
}

void PullWindow::give_up_adopted() {
  for (auto place = numbered_.begin(); place != numbered_.end() && place->first < adopted_below_;) {
    Entry& entry = *place->second;
    ++place;
    if (!std::exchange(entry.renewed, false)) forget_number(entry);
  }
}

void PullWindow::restart(std::vector<Ended>& ended) {
  begin_anew(ended);
  offset_ = PullId();
  arrived_ = PullId();
}

void PullWindow::begin_anew(std::vector<Ended>& ended) {
  for (auto place = numbered_.begin(); place != numbered_.end() && in_hand_ > 0;) {
    Entry& entry = *place->second;
    ++place;
    if (!entry.in_hand) continue;
    if (!entry.present) {
      remove(entry, false);
      continue;
    }
    const bool beside_others = entry.passed;
    put_down(entry);
    if (!beside_others) ++entry.restarts;
    if (entry.suspect && entry.restarts >= max_lone_restarts_) {
      end(entry, How::crashed, ended);
    } else if (!entry.suspect && entry.restarts >= suspect_after_) {
      entry.suspect = true;
      entry.restarts = 0;
      ++suspects_;
    }
  }
}

std::optional<Seq> PullWindow::lone() const noexcept {
  if (lone_ == nullptr) return std::nullopt;
  return lone_->seq;
}

void PullWindow::let_others_pass() {
  if (lone_ == nullptr || !lone_->present) return;
  lone_->passed = true;
  ++passed_;
  lone_ = nullptr;
}

std::optional<PullWindow::Held> PullWindow::settle(std::int64_t shown, bool done) {
  Entry* const entry = held(shown);
  if (entry == nullptr) return std::nullopt;
  const Held ended(entry->seq, entry->present);
  if (!entry->present) early_.insert(entry->seq);
  remove(*entry, done);
  return ended;
}

PullWindow::Entry* PullWindow::held(std::int64_t shown) const {
  if (shown < 1 || shown > kShownPullIds) return nullptr;
  const auto place = numbered_.find(number_shown_as(shown, next_));
  return place != numbered_.end() && place->second->in_hand ? place->second : nullptr;
}

template <class Meant>
void PullWindow::end_all(Meant meant, How how, std::vector<Ended>& ended) {
  std::vector<Entry*> meant_ones;
  for (auto& [seq, entry] : entries_) {
    if (meant(entry)) meant_ones.push_back(&entry);
  }
  std::ranges::sort(meant_ones, {}, &Entry::seq);
  for (Entry* const entry : meant_ones) {
    if (entry->present) {
      end(*entry, how, ended);
    } else {
      remove(*entry, false);
    }
  }
}

void PullWindow::drop_until(Seq last, std::vector<Ended>& ended) {
  dropped_until_ = std::max(dropped_until_, last);
  end_all([last](const Entry& entry) { return entry.seq <= last; }, How::dropped, ended);
}

void PullWindow::close(bool all, std::vector<Ended>& ended) {
  closed_ = true;
  end_all([all](const Entry& entry) { return all || !entry.in_hand; }, How::back, ended);
}

void PullWindow::end(Entry& entry, How how, std::vector<Ended>& ended) {
  if (entry.present) {
    ended.emplace_back(entry.seq, how);
  } else {
    early_.insert(entry.seq);
  }
  remove(entry, how == How::done);
}

void PullWindow::remove(Entry& entry, bool done) {
  put_down(entry);
  if (entry.suspect) --suspects_;
  if (entry.noted && !done) forgotten_.insert(entry.seq);
  if (entry.id == PullId()) {
    unnumbered_.erase(entry.seq);
  } else {
    numbered_.erase(entry.id);
    if (!entry.noted) unnoted_.erase(entry.id);
  }
  entries_.erase(Seq(entry.seq));
}

void PullWindow::take_in_hand(Entry& entry) {
  if (entry.in_hand) return;
  entry.in_hand = true;
  ++in_hand_;
  if (!entry.present) ++absent_;
  if (entry.suspect) lone_ = &entry;
}

void PullWindow::put_down(Entry& entry) {
  if (!entry.in_hand) return;
  entry.in_hand = false;
  --in_hand_;
  if (!entry.present) --absent_;
  if (entry.passed) --passed_;
  entry.passed = false;
  if (lone_ == &entry) lone_ = nullptr;
}

}  // namespace tgkeep::rules
