#include "store/sqlite/page_copy.hpp"

namespace tgkeep::store {

PageCopy::PageCopy(Database& from, Database& to)
    : to_(to.handle()), backup_(sqlite3_backup_init(to.handle(), "main", from.handle(), "main")) {
  if (backup_ == nullptr) throw SqliteFailure(sqlite3_extended_errcode(to_), sqlite3_errmsg(to_));
}

PageCopy::~PageCopy() {
  sqlite3_backup_finish(backup_);
}

bool PageCopy::step(int pages) {
  const int code = sqlite3_backup_step(backup_, pages);
  if (code == SQLITE_DONE) return false;
  if (code == SQLITE_OK) return true;
  throw SqliteFailure(code, std::string(sqlite3_errstr(code)) + " (while copying its pages)");
}

std::uint64_t PageCopy::copied() const noexcept {
  const int pages = sqlite3_backup_pagecount(backup_) - sqlite3_backup_remaining(backup_);
  return static_cast<std::uint64_t>(pages) * Database::kPage;
}

}  // namespace tgkeep::store
