#include "rules/head_window.hpp"

#include <algorithm>
#include <utility>

namespace tgkeep::rules {

std::size_t HeadWindow::scan_room() const noexcept {
  // Closed keys take memory too, so they stop the scan as loaded heads do.
  const std::size_t used = std::max(loaded_, closed_);
  return used < max_heads_ ? max_heads_ - used : 0;
}

bool HeadWindow::offer(Seq seq, std::span<const KeyHash> keys) {
  const bool fits = std::ranges::all_of(keys, [&](KeyHash hash) {
    const auto entry = keys_.find(hash);
    return entry == keys_.end() || (!entry->second.closed && entry->second.loaded < max_per_key_);
  });
  if (fits) {
    ++loaded_;
    for (const KeyHash hash : keys) ++keys_[hash].loaded;
    return true;
  }
  for (const KeyHash hash : keys) {
    Key& key = keys_[hash];
    if (!key.closed) {
      key.closed = true;
      key.from = seq;
      ++closed_;
    }
    key.last_skipped = seq;
  }
  // No refill is asked for here: the key that had no room asks when it drains, and what it loads opens the
  // others.
  return false;
}

void HeadWindow::queue_refill(KeyHash hash, Key& key) {
  // Half empty before fetching more: a refill is a query, it should bring many.
  if (!key.closed || key.queued || key.loaded > max_per_key_ / 2) return;
  key.queued = true;
  refills_.push_back(hash);
}

void HeadWindow::release(std::span<const KeyHash> keys) {
  --loaded_;
  for (const KeyHash hash : keys) {
    Key& key = keys_.find(hash)->second;
    --key.loaded;
    queue_refill(hash, key);
    wake_waiting(key);
  }
  // Only now: a key named twice must still be there for its second turn.
  for (const KeyHash hash : keys) forget_if_idle(hash);
}

std::optional<HeadWindow::Refill> HeadWindow::next_refill() {
  while (!refills_.empty()) {
    const KeyHash hash = refills_.front();
    refills_.pop_front();
    const auto entry = keys_.find(hash);
    if (entry == keys_.end()) continue;
    Key& key = entry->second;
    key.queued = false;
    if (!key.closed) continue;
    // At the bound it may still bring one: what is skipped may be all that can go on.
    const std::size_t total = loaded_ < max_heads_ ? max_heads_ - loaded_ : 1;
    const std::size_t room = key.loaded < max_per_key_ ? max_per_key_ - key.loaded : 1;
    return Refill(hash, Seq(key.from.value() - 1), key.last_skipped, std::min(room, total));
  }
  return std::nullopt;
}

bool HeadWindow::offer_refill(const Refill& refill, Seq seq, std::span<const KeyHash> keys) {
  const auto entry = keys_.find(refill.key);
  if (entry == keys_.end() || !entry->second.closed || seq > refill.up_to) return false;
  // What the answer left out between is settled.
  if (seq > entry->second.from) advance(entry->second, seq);

  for (const KeyHash hash : keys) {
    Key& key = keys_.find(hash)->second;  // closed by this very head, so it is there
    // A head is loaded only when no unloaded one is before it in any of its keys, and each has room.
    const bool is_next = !key.closed || key.from >= seq;
    if (is_next && key.loaded < max_per_key_) continue;
    if (hash != refill.key) {
      if (std::ranges::find(key.waiting, refill.key) == key.waiting.end()) key.waiting.push_back(refill.key);
      if (!is_next) queue_refill(hash, key);
    }
    return false;
  }
  ++loaded_;
  for (const KeyHash hash : keys) {
    Key& key = keys_.find(hash)->second;
    ++key.loaded;
    if (!key.closed || key.from > seq) continue;  // the same key twice
    advance(key, Seq(seq.value() + 1));
    if (hash != refill.key) queue_refill(hash, key);
  }
  return true;
}

void HeadWindow::end_refill(const Refill& refill, bool complete) {
  const auto entry = keys_.find(refill.key);
  if (entry == keys_.end()) return;
  Key& key = entry->second;
  if (key.closed && complete && key.from <= refill.up_to) {
    advance(key, Seq(refill.up_to.value() + 1));
  }
  if (complete) queue_refill(refill.key, key);
  forget_if_idle(refill.key);
}

// Everything of the key before `from` is loaded or settled.
void HeadWindow::advance(Key& key, Seq from) {
  key.from = from;
  if (key.from > key.last_skipped) {
    key.closed = false;
    --closed_;
  }
  wake_waiting(key);
}

void HeadWindow::wake_waiting(Key& key) {
  const std::vector<KeyHash> waiting = std::exchange(key.waiting, {});
  for (const KeyHash hash : waiting) {
    const auto entry = keys_.find(hash);
    if (entry != keys_.end()) queue_refill(hash, entry->second);
  }
}

void HeadWindow::forget_if_idle(KeyHash hash) {
  const auto entry = keys_.find(hash);
  if (entry == keys_.end()) return;
  const Key& key = entry->second;
  if (key.loaded == 0 && !key.closed && key.waiting.empty()) keys_.erase(entry);
}

void HeadWindow::clear() {
  keys_.clear();
  refills_.clear();
  loaded_ = 0;
  closed_ = 0;
}

}  // namespace tgkeep::rules
