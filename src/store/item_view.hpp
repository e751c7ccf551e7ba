#pragma once
// A row as people see it, and which rows a search is for.

#include <tgkeep/store_browser.hpp>

#include "store/row.hpp"

namespace tgkeep::store {

/// The most items of one page.
inline constexpr std::size_t kPageLimit = 1000;
/// Failed attempts that are kept of one item, the last ones.
inline constexpr std::size_t kFailuresKept = 20;

/// Pending or retrying.
ItemState waiting_state(const Row& row) noexcept;

/// Takes the row's strings; reason, error and times of the end are the caller's.
StoredItem stored_item(Queue queue, ItemState state, Row&& row);

/// Whether the search may find items in that state.
bool wants(const ItemFilter& filter, ItemState state) noexcept;

bool matches(const ItemFilter& filter, const StoredItem& item);

/// The first `limit` of what was found, which is in the order of the page.
ItemPage page_of(std::vector<StoredItem> found, std::size_t limit);

Error no_such_item(Queue queue, Seq seq);
Error no_such_letter(Queue queue, Seq seq);

}  // namespace tgkeep::store
