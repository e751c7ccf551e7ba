#include "store/sqlite/row_cursor.hpp"

#include "rules/mutant.hpp"
#include "store/sqlite/row_text.hpp"

namespace tgkeep::store {

namespace {

std::optional<std::int64_t> maybe(const Cursor& cursor, int column) {
  if (cursor.null(column)) return std::nullopt;
  return cursor.integer(column);
}

// Of the columns as they are: a Row may have lost bits that were flipped.
Sum marks_at(const Cursor& cursor, Seq seq, int first) {
  Sum sum;
  sum.add(seq.value());
  for (const int column : {2, 6, 7, 16, 8}) sum.add(cursor.integer(first + column));
  sum.add(maybe(cursor, first + 9));
  for (const int column : {10, 11, 12}) sum.add(cursor.integer(first + column));
  return sum.add(maybe(cursor, first + 5)).add(cursor.bytes(first + kErrorColumn));
}

std::string differ(const char* what, std::int64_t found, std::int64_t stored) {
  return std::string(what) + " is " + std::to_string(found) + ", stored is " + std::to_string(stored);
}

RowRead read(const Cursor& cursor, Seq seq, int first, std::int64_t marks) {
  RowRead read;
  Row& row = read.row;
  row.seq = seq;
  row.bot = BotId(cursor.integer(first));
  row.update_id = UpdateId(cursor.integer(first + 1));
  row.run = static_cast<std::uint32_t>(cursor.integer(first + 2));
  row.kind = cursor.bytes(first + 3);
  read.keys = cursor.bytes(first + 4);
  row.keys = split_keys(row.bot, read.keys);
  row.attempts = static_cast<std::uint32_t>(cursor.integer(first + 6));
  row.crashes = static_cast<std::uint32_t>(cursor.integer(first + 7));
  row.due = from_millis(cursor.integer(first + 8));
  if (!cursor.null(first + 9)) row.first_failed = from_millis(cursor.integer(first + 9));
  row.received = from_millis(cursor.integer(first + 10));
  row.lifetime = std::chrono::seconds(cursor.integer(first + 11));
  row.answer_expires = cursor.integer(first + 12) != 0;
  row.origin = Seq(cursor.integer(first + 13));
  row.call = static_cast<std::uint32_t>(cursor.integer(first + 14));
  row.doubt = static_cast<DoubtPolicy>(cursor.integer(first + 15));
  row.starts = static_cast<std::uint32_t>(cursor.integer(first + 16));
  row.body = cursor.bytes(first + kBodyColumn);
  const std::int64_t sum = checksum(row, read.keys);
  if (sum != cursor.integer(first + kSumColumn)) {
    read.wrong = differ("its checksum", sum, cursor.integer(first + kSumColumn));
  } else if (marks != cursor.integer(first + kMarksColumn)) {
    read.wrong = differ("the checksum of its numbers", marks, cursor.integer(first + kMarksColumn));
  }
  if (rules::mutant("checksum_skipped")) read.wrong.clear();
  row.sound = read.wrong.empty();
  return read;
}

}  // namespace

RowRead read_row(const Cursor& cursor, Seq seq, int first) {
  return read(cursor, seq, first, marks_at(cursor, seq, first).value());
}

RowRead read_dead_row(const Cursor& cursor, Seq seq, int first, std::string_view reason, std::int64_t died) {
  return read(cursor, seq, first, marks_at(cursor, seq, first).add(reason).add(died).value());
}

}  // namespace tgkeep::store
