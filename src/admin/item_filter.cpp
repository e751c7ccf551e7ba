#include "admin/item_filter.hpp"

#include <limits>

namespace tgkeep::admin {

void read_filter(Params& params, ItemFilter& filter) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  filter.kind = params.text("kind");
  filter.key = params.text("key");
  filter.reason = params.text("reason");
  filter.from = params.time("from");
  filter.to = params.time("to");
  if (const auto first = params.number("first_id", kLeast, kMost)) filter.first_id = UpdateId(*first);
  if (const auto last = params.number("last_id", kLeast, kMost)) filter.last_id = UpdateId(*last);
  if (filter.first_id && filter.last_id && *filter.first_id > *filter.last_id) {
    params.refuse("first_id is above last_id: nothing can match");
  }
  if (filter.from && filter.to && *filter.from >= *filter.to) {
    params.refuse("from is not before to: nothing can match");
  }
}

}  // namespace tgkeep::admin
