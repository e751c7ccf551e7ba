#include "emulator/update_queue.hpp"

#include <algorithm>
#include <utility>

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

std::optional<UpdateId> UpdateQueue::push(std::string_view kind, std::string_view body) {
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
  queued_.push_back(Queued{next_, std::move(text)});
  return UpdateId(next_++);
}

std::int64_t UpdateQueue::resolve(std::int64_t offset) {
  if (offset >= 0) return offset;
  const auto keep = static_cast<std::uint64_t>(-offset);
  while (queued_.size() > keep) drop_front();
  return head();
}

Batch UpdateQueue::take(std::int64_t offset, std::size_t limit) {
  const bool valid =
      offset > 0 && offset < end_of_ids && offset <= next_ + beyond_tail && offset >= head() - behind_head;
  if (valid) confirm_below(offset);

  Batch batch;
  std::size_t size = 0;
  std::string json = "[";
  const auto add = [&](const Queued& update) {
    if (!batch.ids.empty()) json += ',';
    json += update.text;
    batch.ids.push_back(UpdateId(update.id));
    size += estimate + update.text.size();
  };
  while (!again_.empty() && batch.ids.size() < limit) {
    add(again_.front());
    again_.pop_front();
  }
  for (const Queued& update : queued_) {
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

void UpdateQueue::drop_front() {
  bytes_ -= queued_.front().text.size();
  queued_.pop_front();
}

void UpdateQueue::confirm_below(std::int64_t offset) {
  while (!queued_.empty() && queued_.front().id < offset) {
    if (again_share_ > 0 && std::generate_canonical<double, 32>(random_) < again_share_) {
      again_.push_back(queued_.front());
    }
    drop_front();
  }
}

}  // namespace tgkeep::emulator
