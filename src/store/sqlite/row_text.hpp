#pragma once
// How a row's ordering keys and its checksum are written.

#include "store/row.hpp"

namespace tgkeep::store {

/// The key texts, primary first, each ended by a newline; newline and backslash inside are escaped by a
/// backslash.
std::string join_keys(const std::vector<OrderingKey>& keys);
std::vector<OrderingKey> split_keys(BotId bot, std::string_view joined);

/// Over what must not change while the row lives: bot, update_id, kind, keys, receipt, origin, call, doubt,
/// body.
std::int64_t checksum(const Row& row, std::string_view joined_keys);

}  // namespace tgkeep::store
