#pragma once
// Under which numbers updates were handed out: written beside the work of the store.

#include <tgkeep/handouts.hpp>
#include <vector>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

/// SQL about the item `h.seq` of a row of `handout h`: still there, and marked as done.
inline constexpr const char* kLive = "EXISTS (SELECT 1 FROM inbox r WHERE r.seq=h.seq)";
inline constexpr const char* kMarkedDone = "EXISTS (SELECT 1 FROM done d WHERE d.queue=0 AND d.seq=h.seq)";

/// Table `handout`.
class HandoutTable {
 public:
  explicit HandoutTable(Database& database);

  /// `misuse` when the numbers do not grow; nothing is written then.
  Result<void> note(const std::vector<Handout>& handouts);
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
