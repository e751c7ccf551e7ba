#pragma once
// The filter of items, as the parameters of several routes give it.

#include <tgkeep/store_browser.hpp>

#include "admin/params.hpp"

namespace tgkeep::admin {

/// Reads kind, key, reason, from, to, first_id and last_id.
void read_filter(Params& params, ItemFilter& filter);

}  // namespace tgkeep::admin
