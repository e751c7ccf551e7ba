#pragma once
// Finished items that are still among the live ones: marked, until the archiver has copied them. And the
// attempts that failed, of any item.

#include <tgkeep/store.hpp>
#include <vector>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// Names an item.
class ItemName {
 public:
  ItemName(Queue queue, Seq seq) : queue(queue), seq(seq) {}
  Queue queue;
  Seq seq;
};

/// Table `done`.
class FinishedTable {
 public:
  explicit FinishedTable(Database& database);

  void insert(Queue queue, Seq seq, WallTime started, WallTime ended);
  /// Whether there was such a mark.
  bool erase(Queue queue, Seq seq);
  /// Takes away marks that do not match their checksum: nobody said that these items are done. How many.
  std::int64_t erase_unsound();
  std::int64_t count() const noexcept { return count_; }

  void committed() { committed_count_ = count_; }
  void rolled_back() { count_ = committed_count_; }

 private:
  Database& database_;
  Statement insert_;
  Statement erase_;
  std::int64_t count_;
  std::int64_t committed_count_;
};

/// Table `failure`: the last 20 of each item.
class FailureTable {
 public:
  explicit FailureTable(Database& database);

  void insert(Queue queue, Seq seq, std::uint32_t attempt, WallTime at, std::string_view error);
  void erase(Queue queue, Seq seq);

 private:
  Statement insert_;
  Statement erase_early_;
  Statement erase_;
};

static_assert(!std::is_aggregate_v<ItemName>);

}  // namespace tgkeep::store
