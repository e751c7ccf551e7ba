#pragma once
// Taking away what concerns a person or a chat: found by the reading thread, deleted in inbox.db by the
// store's and in the day files by the reading one.

#include <map>
#include <set>
#include <string>
#include <tgkeep/store_browser.hpp>
#include <type_traits>
#include <vector>

#include "store/sqlite/day_files.hpp"
#include "store/sqlite/finished.hpp"
#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

/// Where there is something to take away.
class Concerned {
 public:
  Concerned() = default;
  std::string folder;
  std::vector<ItemName> here;                 ///< in inbox.db
  std::map<Day, std::vector<ItemName>> days;  ///< in day files
  bool empty() const noexcept { return here.empty() && days.empty(); }
};

Concerned find_concerned(ReadView& view, const EraseRequest& request);

using ItemNames = std::set<std::pair<Queue, Seq>>;

/// Deletes what was found in day files and every trace of its bytes there; how many items that are not among
/// the `counted`, to which they are added: an item may lie in both kinds of files, and get to the other one
/// meanwhile. On the thread that writes them; `files`: null when none does.
std::int64_t erase_in_days(const Concerned& found, DayFiles* files, ItemNames& counted);

static_assert(!std::is_aggregate_v<Concerned>);

}  // namespace tgkeep::store
