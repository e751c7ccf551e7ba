#pragma once
// Searches over all the files of a store. Each runs on a reading thread.

#include <tgkeep/store_browser.hpp>

#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

/// A page of what matches, bodies and all.
ItemPage find_items(ReadView& view, const ItemFilter& filter, Seq after, std::size_t limit,
                    bool newest_first);

/// One item; nothing when there is none.
std::optional<StoredItem> find_item(ReadView& view, Queue queue, Seq seq);

/// Every run of the update, the first first.
std::vector<ItemTrace> trace_update(ReadView& view, UpdateId id);

/// Bots that have something in inbox.db.
std::vector<BotId> bots_of(Database& database, const std::string& path);

}  // namespace tgkeep::store
