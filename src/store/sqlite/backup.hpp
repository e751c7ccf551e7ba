#pragma once
// A copy of a store, made while it runs: one snapshot of inbox.db, then the day files, in FOLDER.partial;
// then its manifest; then the name. So what has the name is complete, whenever the process dies.

#include <string>
#include <tgkeep/store_browser.hpp>

#include "store/sqlite/read_view.hpp"

namespace tgkeep::store {

Result<BackupReport> write_backup(ReadView& view, const std::string& folder, const Progress& progress);

}  // namespace tgkeep::store
