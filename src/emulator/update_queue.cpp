#include "emulator/update_queue.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::int64_t first_start = 2'000'001;
constexpr std::int64_t last_start = 1'000'000'000;
constexpr std::int64_t behind_head = 100'000;
constexpr std::int64_t beyond_tail = 10;
// What the server adds per update when it estimates the length of an answer.
constexpr std::size_t estimate = 50;

}  // namespace

UpdateQueue::UpdateQueue(std::uint64_t seed) : random_(seed), next_(random_start()) {}

std::int64_t UpdateQueue::random_start() {
  return first_start + static_cast<std::int64_t>(random_() % (last_start - first_start + 1));
}

std::optional<UpdateId> UpdateQueue::push(std::string_view kind, std::string_view body, WallTime expires) {
  if (next_ >= end_of_ids) {
    clear();
    next_ = random_start();
  }
  std::string text = "{\"update_id\":" + std::to_string(next_) + ",\n\"";
  text.append(kind).append("\":").append(body).append("}");
  if (queued_.size() >= max_updates || text.size() > max_update || bytes_ + text.size() > max_bytes) {
    return std::nullopt;
  }
  bytes_ += text.size();
  QueuedUpdate update;
  update.id = next_;
  update.kind = kind;
  update.text = std::move(text);
  update.expires = expires;
  queued_.emplace_hint(queued_.end(), next_, std::move(update));
  first_expiry_ = std::min(first_expiry_, expires);
  return UpdateId(next_++);
}

std::int64_t UpdateQueue::resolve(std::int64_t offset) {
  if (offset >= 0) return offset;
  const auto keep = static_cast<std::uint64_t>(-offset);
  while (queued_.size() > keep) drop(queued_.begin());
  return head();
}

Batch UpdateQueue::take(std::int64_t offset, std::size_t limit) {
  const bool valid =
      offset > 0 && offset < end_of_ids && offset <= next_ + beyond_tail && offset >= head() - behind_head;
  if (valid) confirm_below(offset);

  Batch batch;
  std::size_t size = 0;
  std::string json = "[";
  const auto add = [&](const QueuedUpdate& update) {
    if (!batch.ids.empty()) json += ',';
    json += update.text;
    batch.ids.push_back(UpdateId(update.id));
    size += estimate + update.text.size();
  };
  while (!again_.empty() && batch.ids.size() < limit) {
    add(again_.front());
    again_.pop_front();
  }
  for (const auto& [id, update] : queued_) {
    if (batch.ids.size() >= limit || size > max_answer) break;
    add(update);
  }
  json += ']';
  batch.json = std::move(json);
  return batch;
}

void UpdateQueue::clear() {
  queued_.clear();
  again_.clear();
  bytes_ = 0;
}

boost::json::object UpdateQueue::save() const {
  json::array updates;
  for (const auto& [id, update] : queued_) {
    json::object entry;
    entry["id"] = id;
    entry["kind"] = update.kind;
    entry["text"] = update.text;
    entry["expires"] = to_millis(update.expires);
    updates.push_back(std::move(entry));
  }
  json::object saved;
  saved["next"] = next_;
  saved["updates"] = std::move(updates);
  return saved;
}

void UpdateQueue::load(const boost::json::object& saved) {
  clear();
  first_expiry_ = WallTime::max();
  next_ = number_in(saved, "next");
  for (const json::value& entry : *array_in(saved, "updates")) {
    const json::object& from = entry.as_object();
    QueuedUpdate update;
    update.id = number_in(from, "id");
    update.kind = string_in(from, "kind");
    update.text = string_in(from, "text");
    update.expires = from_millis(number_in(from, "expires"));
    bytes_ += update.text.size();
    first_expiry_ = std::min(first_expiry_, update.expires);
    const std::int64_t id = update.id;
    queued_.emplace(id, std::move(update));
  }
}

void UpdateQueue::expire(WallTime now) {
  if (now <= first_expiry_) return;
  first_expiry_ = WallTime::max();
  for (auto update = queued_.begin(); update != queued_.end();) {
    if (update->second.expires < now) {
      update = drop(update);
    } else {
      first_expiry_ = std::min(first_expiry_, update->second.expires);
      ++update;
    }
  }
}

const QueuedUpdate* UpdateQueue::next_after(std::int64_t after) const noexcept {
  const auto found = queued_.upper_bound(after);
  return found == queued_.end() ? nullptr : &found->second;
}

const QueuedUpdate* UpdateQueue::find(std::int64_t id) const noexcept {
  const auto found = queued_.find(id);
  return found == queued_.end() ? nullptr : &found->second;
}

void UpdateQueue::remove(std::int64_t id) {
  const auto found = queued_.find(id);
  if (found != queued_.end()) drop(found);
}

bool UpdateQueue::confirm(std::int64_t id) {
  const auto found = queued_.find(id);
  if (found == queued_.end()) return false;
  if (!found->second.is_repeat && plays_lost_confirmation()) {
    found->second.is_repeat = true;
    return true;
  }
  drop(found);
  return false;
}

UpdateQueue::Queue::iterator UpdateQueue::drop(Queue::iterator update) {
  bytes_ -= update->second.text.size();
  return queued_.erase(update);
}

bool UpdateQueue::plays_lost_confirmation() {
  return again_share_ > 0 && std::generate_canonical<double, 32>(random_) < again_share_;
}

void UpdateQueue::confirm_below(std::int64_t offset) {
  while (!queued_.empty() && queued_.begin()->first < offset) {
    if (plays_lost_confirmation()) again_.push_back(queued_.begin()->second);
    drop(queued_.begin());
  }
}

}  // namespace tgkeep::emulator
