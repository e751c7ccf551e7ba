#pragma once
// One answer of getUpdates as updates to store.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tgkeep/update.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::source {

class PollBatch {
 public:
  PollBatch() = default;
  std::vector<Update> updates;
  std::int64_t unreadable = 0;
  std::optional<UpdateId> last;  ///< of the last update, in the answer's order, whose id could be found
};

/// Unreadable pieces are among the updates, marked.
PollBatch read_batch(BotId bot, WallTime received, const std::vector<std::string_view>& pieces);

static_assert(!std::is_aggregate_v<PollBatch>);

}  // namespace tgkeep::source
