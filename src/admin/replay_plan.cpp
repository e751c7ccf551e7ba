#include "admin/replay_plan.hpp"

#include <algorithm>

#include "admin/item_filter.hpp"

namespace tgkeep::admin {

namespace {

constexpr std::int64_t kFastest = 1000;

}  // namespace

ReplayPlan read_plan(Params& params) {
  ReplayPlan plan;
  plan.filter = ItemFilter(Queue::inbox);
  plan.filter.states = params.states("states");
  if (plan.filter.states.empty()) plan.filter.states = {ItemState::done};
  const bool settled = std::all_of(plan.filter.states.begin(), plan.filter.states.end(), [](ItemState state) {
    return state == ItemState::done || state == ItemState::dead;
  });
  if (!settled) params.refuse("states may be done and dead: what still waits comes by itself");
  read_filter(params, plan.filter);
  plan.rate = static_cast<int>(params.number("rate", 1, kFastest).value_or(plan.rate));
  plan.force = params.flag("force");
  plan.dry_run = params.flag("dry_run");
  const ItemFilter& filter = plan.filter;
  if (!filter.first_id && !filter.last_id && !filter.from && !filter.to && filter.key.empty()) {
    params.refuse("a replay of everything is refused: say first_id and last_id, from and to, or key");
  }
  return plan;
}

}  // namespace tgkeep::admin
