#pragma once
// What was received or settled since the last look, for the live tail: the newest items of each queue are
// found and compared with what was seen of them. Costs nothing while nobody watches.

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <utility>
#include <vector>

#include "admin/premises.hpp"

namespace tgkeep::admin {

/// Of all bots, for one watcher. Everything on the loop's thread.
class Tail {
 public:
  static constexpr std::size_t kMost = 50;  ///< updates a look, the newest

  explicit Tail(Premises& premises) : premises_(premises) {}
  /// Since the last look, oldest first; the first look gives nothing.
  asio::awaitable<std::vector<boost::json::object>> look();

 private:
  using Place = std::pair<BotId, Queue>;
  using Seen = std::map<Seq, ItemState>;

  asio::awaitable<std::vector<StoredItem>> newest(Place place);
  std::vector<StoredItem> changed(Place place, std::vector<StoredItem> items);

  Premises& premises_;
  std::map<Place, Seen> seen_;
};

}  // namespace tgkeep::admin
