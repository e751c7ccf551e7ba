#pragma once
// The table of one queue: its rows, found by seq or by key.

#include <functional>

#include "store/row.hpp"
#include "store/sqlite/database.hpp"

namespace tgkeep::store {

class RowTable {
 public:
  RowTable(Database& database, Queue queue);

  void insert(const Row& row);
  /// A row that is dead from the start.
  void insert_dead(const Row& row, std::string_view reason, std::string_view error, WallTime died);
  /// The row with its body; when its checksum does not match, `*corrupt` says so.
  std::optional<Row> read(Seq seq, std::string* corrupt);
  /// Heads of the request, without those `skip` is true for.
  std::vector<Head> heads(const LeaseRequest& request, const std::function<bool(Seq)>& skip);
  /// Writes what an attempt changed: attempts, crashes, starts, due, first_failed and the error.
  void update(const Row& row, std::string_view error);
  void erase(const Row& row);
  /// Moves the row to the dead letters; `reason` "" for a held call.
  void bury(const Row& row, std::string_view reason, std::string_view error, WallTime died);
  /// The row of a dead letter, taken out of them (without its body), and its reason.
  std::optional<std::pair<Row, std::string>> find_dead(Seq seq);
  /// Puts the dead letter back under `row.seq`, with `row`'s numbers.
  void revive(Seq dead, const Row& row);
  bool contains(Seq seq);
  /// Receipt of the oldest row.
  std::optional<WallTime> oldest();

 private:
  std::int64_t id() const noexcept { return static_cast<std::int64_t>(queue_); }
  void insert_further_keys(const Row& row);

  Queue queue_;
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
  Statement revive_;
  Statement erase_dead_;
  Statement contains_;
  Statement contains_dead_;
  Statement oldest_;
};

}  // namespace tgkeep::store
