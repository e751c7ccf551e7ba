#pragma once
// The tables of inbox.db, and whether a file holds them. docs/store_format.md describes them for people.

#include <tgkeep/error.hpp>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

inline constexpr std::int64_t kApplicationId = 0x74676b70;  // "tgkp"
inline constexpr std::int64_t kSchemaVersion = 1;

/// The columns that inbox, outbox and dead share, in this order.
inline constexpr std::string_view kRowColumns =
    "bot, update_id, run, kind, keys, key_hash, attempts, crashes, due, first_failed, received, lifetime, "
    "answer_expires, origin, call, doubt, starts, error, sum, body";

/// True when the file is new (empty), false when it is a store of this version; store_foreign or
/// store_version otherwise. Writes nothing.
Result<bool> is_new(Database& database, const std::string& path);

/// Settings of the connection; the file must be new or ours.
void configure(Database& database, bool is_new);

/// Makes the tables; call inside a transaction. `id` names this store in its side file.
void create_tables(Database& database, std::int64_t id);

}  // namespace tgkeep::store
