#pragma once
// The totals of a store, held against its rows (P8).

#include <optional>
#include <string>
#include <tgkeep/store.hpp>

#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

/// Conditions on `seq` of a queue's table: in flight; not finished.
std::string flying(Queue queue);
std::string live(Queue queue);

/// As written by the last commit.
StoreCounts read_counts(Database& database);

/// Empty, or the first difference between totals and rows, or the first row that is not as it was written.
std::string audit_store(ReadView& view);

/// The first total of the queue that its rows do not have; "" when all agree.
std::string audit_totals(Database& database, Queue queue);

/// A row of handler state; `corrupt` when it is not as it was written.
Result<std::optional<std::string>> read_state(Database& database, const std::string& path, BotId bot,
                                              const std::string& space, const std::string& key);

}  // namespace tgkeep::store
