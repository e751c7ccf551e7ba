#pragma once
// The table of one queue: its rows, found by seq or by key.

#include <functional>

#include "store/row.hpp"
#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// A dead letter or held call, with its body.
class BuriedRow {
 public:
  BuriedRow(Row row, std::string reason, std::string error)
      : row(std::move(row)), reason(std::move(reason)), error(std::move(error)) {}
  Row row;
  std::string reason;  ///< "" for a held call
  std::string error;
};

class RowTable {
 public:
  RowTable(Database& database, Queue queue);

  /// A row that is not sound stays recognisable as such, here and below.
  void insert(const Row& row, std::string_view error = "");
  /// A row that is dead from the start.
  void insert_dead(const Row& row, std::string_view reason, std::string_view error, WallTime died);
  /// The row with its body, unless it is finished; when its checksum does not match, `*corrupt` says so.
  std::optional<Row> read(Seq seq, std::string* corrupt);
  /// Heads of the request, without those `skip` is true for and without finished ones. One whose numbers do
  /// not match their checksum is due at once: `begin` then says so.
  std::vector<Head> heads(const LeaseRequest& request, const std::function<bool(Seq)>& skip);
  /// Writes what an attempt changed: attempts, crashes, starts, due, first_failed and the error.
  void update(const Row& row, std::string_view error);
  void erase(const Row& row);
  /// Of one without rows of further keys.
  void erase(Seq seq);
  /// The rows of its further keys, by which a finished item is no longer looked for, or is again.
  void erase_further_keys(const Row& row);
  void insert_further_keys(const Row& row);
  /// Moves the row to the dead letters; `reason` "" for a held call.
  void bury(const Row& row, std::string_view reason, std::string_view error, WallTime died);
  /// A dead letter as it lies there.
  std::optional<BuriedRow> find_dead(Seq seq);
  void erase_dead(Seq seq);
  /// Waiting, in flight or dead; not finished.
  /// Pending, retrying or in flight.
  bool waits(Seq seq);
  /// That, or dead.
  bool contains(Seq seq);
  /// Receipt of the oldest row that is not finished; `last`: the last seq that was given.
  std::optional<WallTime> oldest(Seq last);
  /// After a rollback, what was finished may be live again.
  void rolled_back() { first_live_ = Seq(); }

 private:
  Queue queue_;
  Seq first_live_;  ///< all before it are finished, so that no query need pass over them
  Statement insert_;
  Statement insert_dead_;
  Statement insert_further_;
  Statement read_;
  Statement heads_;
  Statement heads_of_key_;
  Statement update_;
  Statement erase_;
  Statement erase_further_;
  Statement bury_;
  Statement find_dead_;
  Statement erase_dead_;
  Statement contains_;
  Statement contains_dead_;
  Statement oldest_;
};

}  // namespace tgkeep::store
