// A store of somebody else's, or of nobody: only read.
#include <filesystem>
#include <tgkeep/sqlite_files.hpp>

#include "store/sqlite/browse_audit.hpp"
#include "store/sqlite/folder.hpp"
#include "store/sqlite/sqlite_browser.hpp"

namespace tgkeep::store {

namespace {

class FileReader final : public SqliteReader {
 public:
  FileReader(asio::any_io_executor loop, Clock& clock, std::string folder, Epoch epoch)
      : folder_(folder), epoch_(epoch), browser_(std::move(loop), clock, std::move(folder), "", nullptr) {}

  StoreBrowser& browser() noexcept override { return browser_; }
  asio::awaitable<Result<StoreCounts>> counts() override {
    QuestionFor<StoreCounts>::Work work = [](ReadView& view) -> Result<StoreCounts> {
      return read_counts(view.database());
    };
    Result<StoreCounts> counts = co_await browser_.reader().ask<StoreCounts>(std::move(work));
    co_return counts;
  }
  StoreStats stats() const override {
    StoreStats stats;
    const ReadView view(folder_, "");
    stats.file_bytes = size_of(view.path());
    stats.wal_bytes = size_of(view.path() + "-wal");
    for (const DayFileEntry& day : list_day_files(folder_)) stats.history_bytes += day.bytes;
    stats.disk_free = free_bytes(folder_);
    return stats;
  }
  Epoch epoch() const noexcept override { return epoch_; }

 private:
  std::string folder_;
  Epoch epoch_;
  SqliteBrowser browser_;
};

}  // namespace

Result<std::unique_ptr<SqliteReader>> open_sqlite_reader(const asio::any_io_executor& loop, Clock& clock,
                                                         std::string folder) {
  Epoch epoch;
  ReadView view(folder, "");
  try {
    epoch = Epoch(view.database().integer("SELECT value FROM meta WHERE name='epoch'"));
  } catch (const SqliteFailure& failure) {
    return unreadable(view.path(), failure);
  } catch (const Failure& failure) {
    return failure.error();
  }
  return std::make_unique<FileReader>(loop, clock, std::move(folder), epoch);
}

}  // namespace tgkeep::store
