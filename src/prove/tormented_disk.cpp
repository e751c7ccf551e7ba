#include "prove/tormented_disk.hpp"

#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

namespace tgkeep::prove {

void TormentedDisk::count() {
  const std::int64_t now = ++page_.writes;
  const std::int64_t last = page_.die_at;
  if (last == 0 || now < last) return;
  page_.die_at = 0;
  ++page_.died_at_write;
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

int TormentedDisk::before_write(const std::string&, std::int64_t, std::string_view) {
  count();
  if (page_.disk != ControlPage::Disk::full) return SQLITE_OK;
  ++page_.found_full;
  return SQLITE_FULL;
}

int TormentedDisk::before_truncate(const std::string&, std::int64_t) {
  count();
  return SQLITE_OK;
}

int TormentedDisk::before_sync(const std::string&) {
  count();
  if (page_.disk != ControlPage::Disk::sync_fails) return SQLITE_OK;
  ++page_.failed_syncs;
  return SQLITE_IOERR_FSYNC;
}

}  // namespace tgkeep::prove
