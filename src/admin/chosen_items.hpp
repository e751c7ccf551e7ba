#pragma once
// Which dead letters and held calls a retry or a drop is about.

#include <boost/asio/awaitable.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/store_browser.hpp>
#include <type_traits>
#include <vector>

#include "admin/office.hpp"

namespace tgkeep::admin {

/// Those named by `seqs`, or with `all` those that match.
class ItemChoice {
 public:
  ItemChoice() = default;
  Queue queue = Queue::inbox;
  bool all = false;
  std::vector<Seq> seqs;
  ItemFilter filter;
};

/// What is wrong stays in `params`.
ItemChoice read_choice(Params& params);
/// The seqs, searched for if need be.
asio::awaitable<Result<std::vector<Seq>>> chosen_seqs(Office& office, BotId bot, ItemChoice choice);

static_assert(!std::is_aggregate_v<ItemChoice>);

}  // namespace tgkeep::admin
