#pragma once
// What a replay is asked for.

#include <tgkeep/store_browser.hpp>
#include <type_traits>

#include "admin/params.hpp"

namespace tgkeep::admin {

class ReplayPlan {
 public:
  ReplayPlan() = default;
  ItemFilter filter;     ///< done ones, unless others are asked for
  int rate = 20;         ///< a second
  bool force = false;    ///< those that were replayed before, too
  bool dry_run = false;  ///< only count
};

/// What is wrong stays in `params`: without any limit, too.
ReplayPlan read_plan(Params& params);

static_assert(!std::is_aggregate_v<ReplayPlan>);

}  // namespace tgkeep::admin
