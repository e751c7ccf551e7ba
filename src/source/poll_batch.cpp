#include "source/poll_batch.hpp"

#include <string>

#include "telegram/update_reader.hpp"

namespace tgkeep::source {

PollBatch read_batch(BotId bot, WallTime received, const std::vector<std::string_view>& pieces) {
  PollBatch batch;
  batch.updates.reserve(pieces.size());
  for (const auto piece : pieces) {
    Update update = telegram::read_or_keep(bot, received, std::string(piece));
    if (!update.unreadable.empty()) ++batch.unreadable;
    if (update.id.value() >= 0) batch.last = update.id;
    batch.updates.push_back(std::move(update));
  }
  return batch;
}

}  // namespace tgkeep::source
