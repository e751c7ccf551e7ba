#pragma once
// How a row's ordering keys and its checksum are written.

#include <optional>

#include "store/row.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

/// The key texts, primary first, each ended by a newline; newline and backslash inside are escaped by a
/// backslash.
std::string join_keys(const std::vector<OrderingKey>& keys);
std::vector<OrderingKey> split_keys(BotId bot, std::string_view joined);

/// The hash of the primary key, as the table holds it; nothing without keys.
std::optional<std::int64_t> key_hash(const Row& row);
std::optional<std::int64_t> to_millis(const std::optional<WallTime>& time);

/// Over what must not change while the row lives: bot, update_id, kind, keys, receipt, origin, call, doubt,
/// body.
std::int64_t checksum(const Row& row, std::string_view joined_keys);

/// Over the numbers beside the update (`kMarkedColumns`).
Sum marks_of(const Row& row, std::string_view error);

}  // namespace tgkeep::store
