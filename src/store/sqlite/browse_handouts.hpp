#pragma once
// The book of handouts, read beside the work of the store. A row that is not as it was written says nothing.

#include <tgkeep/handouts.hpp>
#include <vector>

#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

/// Those whose item waits or is in flight, by id; of an item with several the last.
std::vector<Handout> open_handouts(ReadView& view);
/// Those given at `from` or later whose item is done and still known, by id.
std::vector<Handout> done_handouts(ReadView& view, WallTime from, std::size_t limit);
std::optional<Handout> find_handout(Database& database, PullId id);
/// The last one that was shown as this update_id.
std::optional<Handout> find_seen_as(Database& database, std::int64_t update_id);
/// All of the item, by id.
std::vector<Handout> handouts_of(Database& database, Seq seq);

}  // namespace tgkeep::store
