#include "admin/picture.hpp"

#include <algorithm>

namespace tgkeep::admin {

namespace {

QueuePicture queue_of(const OperatedBot& bot, Queue queue) {
  QueuePicture picture;
  picture.paused = bot.paused(queue);
  picture.runner = bot.runner(queue);
  return picture;
}

}  // namespace

OperatedBot* bot_with(Premises& premises, BotId id) {
  for (OperatedBot* bot : premises.bots()) {
    if (bot->facts().id == id) return bot;
  }
  return nullptr;
}

StoreBrowser* browser_with(Premises& premises, BotId id) {
  OperatedBot* const bot = bot_with(premises, id);
  return bot == nullptr ? nullptr : bot->browser();
}

asio::awaitable<Picture> take_picture(Premises& premises) {
  std::vector<BotId> ids;
  for (const OperatedBot* bot : premises.bots()) ids.push_back(bot->facts().id);
  Picture picture;
  for (const BotId id : ids) {
    OperatedBot* asked = bot_with(premises, id);
    if (asked == nullptr) continue;
    Result<StoreCounts> counts = co_await asked->counts();
    const OperatedBot* const bot = bot_with(premises, id);
    if (bot == nullptr) continue;
    BotPicture& seen = picture.bots.emplace_back();
    seen.facts = bot->facts();
    if (counts.has_value()) {
      seen.counts = std::move(*counts);
    } else {
      seen.trouble = counts.error();
    }
    seen.store = bot->store_stats();
    seen.epoch = bot->epoch();
    seen.source = bot->source();
    seen.face = bot->face();
    seen.inbox = queue_of(*bot, Queue::inbox);
    seen.outbox = queue_of(*bot, Queue::outbox);
  }
  picture.live = premises.live();
  picture.receiving = premises.receiving();
  picture.stopping = premises.stopping();
  picture.started = premises.started();
  picture.wall = premises.clock().wall();
  picture.mono = premises.clock().mono();
  co_return picture;
}

bool is_balanced(const QueueCounts& counts) noexcept {
  std::int64_t all = counts.pending + counts.in_flight + counts.retrying + counts.held + counts.done;
  for (const auto& [reason, count] : counts.dead) all += count;
  for (const auto& [by, count] : counts.dropped) all += count;
  return all == counts.stored;
}

std::optional<double> age_of(const std::optional<MonoTime>& then, MonoTime now) noexcept {
  if (!then) return std::nullopt;
  return std::chrono::duration<double>(now - *then).count();
}

std::optional<double> age_of_oldest(const QueueCounts& counts, WallTime now) noexcept {
  if (!counts.oldest) return std::nullopt;
  // A clock that was set back must not make it negative.
  return std::max(0.0, std::chrono::duration<double>(now - *counts.oldest).count());
}

}  // namespace tgkeep::admin
