#include "failing_vfs.hpp"

#include <sqlite3.h>

namespace tgkeep::store {

int FailingVfs::Script::before_read() {
  return faults.strikes(Faults::Kind::read_fails) ? SQLITE_IOERR_READ : SQLITE_OK;
}

int FailingVfs::Script::before_write(const std::string& path, std::int64_t, std::string_view) {
  faults.count_write();
  if (faults.strikes(Faults::Kind::write_fails, path)) return SQLITE_IOERR_WRITE;
  return faults.strikes(Faults::Kind::disk_full, path) ? SQLITE_FULL : SQLITE_OK;
}

int FailingVfs::Script::before_truncate(const std::string&, std::int64_t) {
  return SQLITE_OK;
}

int FailingVfs::Script::before_sync(const std::string& path) {
  faults.count_sync();
  return faults.strikes(Faults::Kind::sync_fails, path) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

}  // namespace tgkeep::store
