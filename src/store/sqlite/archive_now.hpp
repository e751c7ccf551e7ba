#pragma once
// For tests and proofs: does not wait until there is enough to archive.

#include <tgkeep/store.hpp>

namespace tgkeep::store {

/// Archives what is finished and drops what is old; blocks until that is done. Does nothing for a store
/// without history.
void archive_now(Store& store);

}  // namespace tgkeep::store
