#pragma once
// Under which numbers updates were handed out: written beside the work of the store.

#include <tgkeep/handouts.hpp>
#include <vector>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// Table `handout`.
class HandoutTable {
 public:
  explicit HandoutTable(Database& database);

  /// `misuse` when the numbers do not grow; nothing is written then.
  Result<bool> note(const std::vector<Handout>& handouts);
  /// The highest ever noted.
  PullId last() const noexcept { return last_; }

  void committed() noexcept { committed_ = last_; }
  void rolled_back() noexcept { last_ = committed_; }

 private:
  void sweep(std::size_t noted);

  Statement insert_;
  Statement old_;
  Statement erase_;
  PullId last_;
  PullId committed_;
  std::int64_t swept_ = 0;  ///< where the next slice begins; wherever that is, nothing wrong is deleted
};

}  // namespace tgkeep::store
