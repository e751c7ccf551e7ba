#include "store/sqlite/backup.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "store/sqlite/backup_manifest.hpp"
#include "store/sqlite/books.hpp"
#include "store/sqlite/folder.hpp"
#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/page_copy.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

namespace fs = std::filesystem;

constexpr int kStep = 256;  // pages, 1 MiB
constexpr const char* kLockName = "/backup.lock";

Error not_written(const std::string& path, const std::string& why) {
  return Error(Errc::store_unusable, "the backup " + path + " can't be written (" + why +
                                         "); choose another folder, or check the disk and your permissions");
}

Error no_room(const std::string& path) {
  return Error(Errc::store_full,
               "no space left for the backup " + path + "; free some, or choose another disk");
}

/// FOLDER.partial, ours alone; taken away again unless it was finished.
class PartialFolder {
 public:
  static Result<PartialFolder> make(const std::string& folder) {
    std::error_code failure;
    if (fs::exists(folder, failure))
      return Error(Errc::misuse, folder + " exists already; name a folder that does not exist yet");
    PartialFolder partial(folder + ".partial");
    fs::create_directories(partial.path_, failure);
    if (failure) return not_written(partial.path_, failure.message());
    fs::permissions(partial.path_, fs::perms::owner_all, failure);
    Result<LockFile> lock = LockFile::take(partial.path_ + kLockName);
    if (!lock) {
      partial.kept_ = true;
      return Error(Errc::store_locked,
                   "another backup into " + folder + " is running; wait for it, or name another folder");
    }
    partial.lock_ = std::move(*lock);
    if (auto cleared = partial.clear(); !cleared) return cleared.error();
    return partial;
  }
  PartialFolder(PartialFolder&& other) noexcept
      : path_(std::move(other.path_)),
        lock_(std::move(other.lock_)),
        kept_(std::exchange(other.kept_, true)) {}
  PartialFolder& operator=(PartialFolder&&) = delete;
  ~PartialFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  const std::string& path() const noexcept { return path_; }

  Result<void> finish(const std::string& folder) {
    std::error_code failure;
    fs::remove(path_ + kLockName, failure);
    if (!failure) fs::rename(path_, folder, failure);
    if (failure) return not_written(folder, failure.message());
    kept_ = true;
    return sync_folder(fs::absolute(folder).parent_path().string());
  }

 private:
  explicit PartialFolder(std::string path) : path_(std::move(path)) {}

  // What an earlier backup left that did not end; nothing else is ever deleted.
  Result<void> clear() {
    std::error_code failure;
    for (const auto& left : fs::directory_iterator(path_, failure)) {
      const std::string name = left.path().filename().string();
      if (name == "backup.lock") continue;
      if (name != "history" && name != "manifest.json" && !name.starts_with("inbox.db")) {
        kept_ = true;
        return Error(Errc::misuse, path_ + " holds something that is no backup (" + name +
                                       "); move it away, or name another folder for the backup");
      }
      fs::remove_all(left.path(), failure);
    }
    return Result<void>();
  }

  std::string path_;
  LockFile lock_;
  bool kept_ = false;
};

void copy_file(ReadView& view, Database& from, const std::string& to, ProgressCount& progress) {
  Database target(to, "");
  target.exec("PRAGMA journal_mode=OFF");
  target.exec("PRAGMA synchronous=OFF");  // the whole file is synced at the end
  const std::uint64_t before = progress.done();
  PageCopy copy(from, target);
  for (bool more = true; more;) {
    view.go_on();
    try {
      more = copy.step(kStep);
    } catch (const SqliteFailure& failure) {
      if (failure.primary() == SQLITE_FULL) throw Failure(no_room(to));
      throw;
    }
    progress.set(before + copy.copied());
  }
}

/// Items that came after the snapshot would lie under seqs that the restored store gives again.
void cut_off(const std::string& path, const Books& books) {
  Database day(path, "");
  day.exec("PRAGMA journal_mode=OFF");
  for (const char* table : {"item", "item_key", "failure"}) {
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      day.exec(std::string("DELETE FROM ") + table +
               " WHERE queue=" + std::to_string(static_cast<int>(queue)) + " AND seq>" +
               std::to_string(books.last_seq(queue).value()));
    }
  }
}

class Backup {
 public:
  Backup(ReadView& view, const std::string& folder, const Progress& progress)
      : view_(view), folder_(folder), progress_(progress, bytes_to_copy() * 2) {}

  Result<BackupReport> write() {
    if (auto room = has_room(); !room) return room.error();
    Result<PartialFolder> partial = PartialFolder::make(folder_);
    if (!partial) return partial.error();
    copy_files(partial->path());
    for (const std::string& name : names_) {
      view_.go_on();
      Result<BackupFile> file = sum_of_file(partial->path(), name, "", progress_);
      if (!file) return file.error();
      if (auto synced = sync_file(partial->path() + "/" + name); !synced) return synced.error();
      manifest_.files.push_back(std::move(*file));
    }
    if (names_.size() > 1) {
      if (auto synced = sync_folder(partial->path() + "/history"); !synced) return synced.error();
    }
    if (auto synced = sync_folder(partial->path()); !synced) return synced.error();
    if (auto written = write_manifest(partial->path(), manifest_); !written) return written.error();
    if (auto named = partial->finish(folder_); !named) return named.error();
    progress_.set(progress_.all());
    BackupReport report;
    report.folder = folder_;
    report.commits = manifest_.commits;
    report.bytes = manifest_.bytes();
    return report;
  }

 private:
  std::uint64_t bytes_to_copy() {
    Database& database = view_.database();
    std::uint64_t bytes = static_cast<std::uint64_t>(database.integer("PRAGMA page_count")) * Database::kPage;
    for (const DayFileEntry& day : view_.day_files()) bytes += day.bytes;
    return bytes;
  }

  Result<void> has_room() const {
    const std::string parent = fs::absolute(folder_).parent_path().string();
    const std::uint64_t needed = progress_.all() / 2;
    const auto left = free_bytes(parent);
    if (!left || *left >= needed) return Result<void>();
    return Error(Errc::store_full, "the backup needs " + std::to_string(needed) + " bytes, " +
                                       std::to_string(*left) + " are free in " + parent +
                                       "; free some, or choose another disk");
  }

  // inbox.db first: what the archiver moves in the meantime is then in both, and the live row counts.
  void copy_files(const std::string& to) {
    Database& database = view_.database();
    const ReadTransaction snapshot(database);
    const Books books(database);
    manifest_.store_id = books.store_id();
    manifest_.schema = kSchemaVersion;
    manifest_.commits = books.commits();
    manifest_.epoch = books.epoch().value();
    manifest_.made =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    copy_file(view_, database, to + "/inbox.db", progress_);
    names_.emplace_back("inbox.db");
    view_.each_day([&](Database& file, const DayFileEntry& day) {
      const std::string name = "history/" + fs::path(day.path).filename().string();
      fs::create_directory(to + "/history");
      copy_file(view_, file, to + "/" + name, progress_);
      cut_off(to + "/" + name, books);
      names_.push_back(name);
    });
  }

  ReadView& view_;
  const std::string& folder_;
  ProgressCount progress_;
  BackupManifest manifest_;
  std::vector<std::string> names_;
};

}  // namespace

Result<BackupReport> write_backup(ReadView& view, const std::string& folder, const Progress& progress) {
  try {
    return Backup(view, folder, progress).write();
  } catch (const fs::filesystem_error& failure) {
    return not_written(folder, failure.code().message());
  }
}

}  // namespace tgkeep::store
