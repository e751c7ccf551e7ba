#pragma once
// A row as a query for `kRowColumns` shows it.

#include <string>

#include "store/row.hpp"
#include "store/sqlite/database.hpp"

namespace tgkeep::store {

inline constexpr int kRowColumnCount = 21;
/// Columns of `kRowColumns`.
inline constexpr int kErrorColumn = 17;
inline constexpr int kMarksColumn = 18;
inline constexpr int kSumColumn = 19;
inline constexpr int kBodyColumn = 20;

/// What was read, and what is wrong with it.
class RowRead {
 public:
  RowRead() = default;
  Row row;           ///< with its body
  std::string keys;  ///< as stored
  /// Empty, or which checksum does not match: "its checksum is 1, stored is 2".
  std::string wrong;
};

/// Reads the columns from `first` on, of an inbox, an outbox or a day file.
RowRead read_row(const Cursor& cursor, Seq seq, int first);
/// Of a dead letter, whose reason and time are part of its marks.
RowRead read_dead_row(const Cursor& cursor, Seq seq, int first, std::string_view reason, std::int64_t died);

}  // namespace tgkeep::store
