#include "emulator/webhook_schedule.hpp"

#include <algorithm>

namespace tgkeep::emulator {

namespace {

using std::chrono::seconds;

constexpr std::size_t keys_per_connection = 2;
constexpr std::int64_t least_cap = 60;
constexpr std::int64_t most_cap = 120;
constexpr seconds longest_retry_after{3600};
constexpr int gone = 410;
constexpr Duration gone_for_good = std::chrono::hours(23);

}  // namespace

WebhookSchedule::WebhookSchedule(std::size_t max_connections, std::uint64_t seed)
    : window_(keys_per_connection * max_connections), random_(seed) {}

void WebhookSchedule::load(std::int64_t id, std::int64_t key, WallTime expires, MonoTime now) {
  loaded_.insert(id);
  Lane& lane = lanes_[key];
  lane.push_back(Waiting{id, expires, now});
  if (lane.size() == 1) ready_.emplace(now, key);
}

std::optional<DueUpdate> WebhookSchedule::start(MonoTime now) {
  if (ready_.empty() || ready_.begin()->first > now) return std::nullopt;
  const std::int64_t key = ready_.begin()->second;
  ready_.erase(ready_.begin());
  const Waiting& head = lanes_.at(key).front();
  return DueUpdate(head.id, key, head.failures);
}

std::optional<MonoTime> WebhookSchedule::next_due() const {
  if (ready_.empty()) return std::nullopt;
  return ready_.begin()->first;
}

void WebhookSchedule::delivered(std::int64_t key) {
  end_head(lanes_.find(key));
}

bool WebhookSchedule::failed(std::int64_t key, MonoTime now, WallTime wall,
                             std::optional<seconds> retry_after) {
  const auto lane = lanes_.find(key);
  Waiting& head = lane->second.front();
  const Duration delay = delay_after(head, retry_after);
  if (wall + std::chrono::duration_cast<std::chrono::milliseconds>(delay) > head.expires) {
    end_head(lane);
    return true;
  }
  head.wake = now + delay;
  ready_.emplace(head.wake, key);
  return false;
}

Duration WebhookSchedule::delay_after(Waiting& head, std::optional<seconds> retry_after) {
  ++head.failures;
  if (retry_after && *retry_after > seconds::zero()) return std::min(*retry_after, longest_retry_after);
  if (head.failures == 1) return Duration::zero();
  const auto range = static_cast<std::uint64_t>(most_cap - least_cap + 1);
  const seconds cap(least_cap + static_cast<std::int64_t>(random_() % range));
  const seconds delay = std::min(cap, head.delay);
  head.delay = std::min(seconds(most_cap), head.delay * 2);
  return delay;
}

void WebhookSchedule::end_head(std::map<std::int64_t, Lane>::iterator lane) {
  loaded_.erase(lane->second.front().id);
  lane->second.pop_front();
  if (lane->second.empty()) {
    lanes_.erase(lane);
  } else {
    ready_.emplace(lane->second.front().wake, lane->first);
  }
}

void GoneRule::answered(int status, MonoTime now) {
  if (status != gone) {
    since_.reset();
  } else if (!since_) {
    since_ = now;
  }
}

bool GoneRule::is_gone(MonoTime now) const noexcept {
  return since_ && now - *since_ > gone_for_good;
}

}  // namespace tgkeep::emulator
