#pragma once
// The tables of inbox.db, and whether a file holds them. docs/store_format.md describes them for people.

#include <tgkeep/error.hpp>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

inline constexpr std::int64_t kApplicationId = 0x74676b70;  // "tgkp"
inline constexpr std::int64_t kSchemaVersion = 3;

/// The columns that inbox, outbox, dead and the day files share, in this order.
inline constexpr std::string_view kRowColumns =
    "bot, update_id, run, kind, keys, key_hash, attempts, crashes, due, first_failed, received, lifetime, "
    "answer_expires, origin, call, doubt, starts, error, marks, sum, body";

/// The columns that `marks` is the sum of, in this order; in `dead` reason and died follow.
inline constexpr std::string_view kMarkedColumns =
    "seq, run, attempts, crashes, starts, due, first_failed, received, lifetime, answer_expires, key_hash, "
    "error";

/// Puts `with` for each `mark` in `text`.
void replace_all(std::string& text, std::string_view mark, std::string_view with);

/// `text` with the columns' definitions for each "$row".
std::string with_row_types(std::string text);

enum class Schema : std::uint8_t { none, old, current };

/// What the file holds: nothing yet, a store to be upgraded, or one of this version; store_foreign or
/// store_version otherwise. Writes nothing.
Result<Schema> schema_of(Database& database, const std::string& path);

/// Settings of the connection; the file must be new or ours.
void configure(Database& database, bool is_new);

/// Makes the tables; call inside a transaction. `id` names this store in its side file.
void create_tables(Database& database, std::int64_t id);

/// Makes the tables of an older version those of this one; call inside a transaction. Needs `define_sum`.
void upgrade_tables(Database& database);

}  // namespace tgkeep::store
