#pragma once
// Where items lie: the queue's table, the dead letters, a day file. Each is searched in the order of its
// seqs.

#include <string>
#include <tgkeep/store_browser.hpp>
#include <vector>

#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

class ItemSource {
 public:
  /// The queue's own table: what waits, is in flight, or is done and not yet in a day file.
  static ItemSource live(Database& database, const std::string& path, Queue queue);
  /// Dead letters and held calls.
  static ItemSource dead(Database& database, const std::string& path, Queue queue);
  /// The finished items of one day file.
  static ItemSource day(Database& database, const std::string& path, Queue queue);

  Queue queue() const noexcept { return queue_; }
  Database& database() const noexcept { return *database_; }
  /// Whether the search may find something here.
  bool may_hold(const ItemFilter& filter) const noexcept;

  /// Narrows it to rows for which the SQL holds; `seq` and the columns of a row are its words.
  void only(const std::string& condition) { conditions_ += " AND " + condition; }
  /// Narrows it to the items of one of these ordering keys.
  void only_keys(const std::vector<KeyHash>& keys);

  /// At most `most` items with seq after (before) `after`, with their bodies and what is wrong with them. In
  /// short transactions, unless one is open.
  std::vector<StoredItem> search(ReadView& view, const ItemFilter& filter, Seq after, std::size_t most,
                                 bool newest_first) const;
  /// Bots that have an item here.
  std::vector<BotId> bots() const;

 private:
  enum class Place : std::uint8_t { live, dead, day };
  ItemSource(Database& database, std::string path, Queue queue, Place place);
  std::string search_text(const ItemFilter& filter, Seq after, bool newest_first) const;
  bool is_there(Statement& row, StoredItem& item) const;

  Database* database_;
  std::string path_;
  Queue queue_;
  Place place_;
  std::string table_;
  std::string own_;  ///< condition for the rows of the queue
  std::string conditions_;
};

}  // namespace tgkeep::store
