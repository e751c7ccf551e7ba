#pragma once
// Opening a store: refuses what must not be written to, then counts the crashes of what was in flight.

#include <tgkeep/clock.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sqlite_store.hpp>

#include "store/sqlite/store_thread.hpp"

namespace tgkeep::store {

Result<Files> open_files(Clock& clock, const SqliteOptions& options, const Log& log);

}  // namespace tgkeep::store
