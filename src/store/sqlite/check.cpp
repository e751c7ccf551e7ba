#include <filesystem>
#include <system_error>
#include <tgkeep/sqlite_files.hpp>

#include "store/sqlite/books.hpp"
#include "store/sqlite/check_report.hpp"
#include "store/sqlite/folder.hpp"
#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/read_view.hpp"
#include "store/sqlite/side_file.hpp"

namespace tgkeep::store {

namespace {

namespace fs = std::filesystem;

void check_side_file(const std::string& folder, Database& database, CheckReport& report) {
  const std::string path = folder + "/inbox.commits";
  if (!exists(path)) {
    report.find(path, "", std::nullopt, "it is missing, so nobody can tell whether commits are",
                "start the bot once, which makes it anew");
    return;
  }
  report.file();
  const Result<SideFile> side = SideFile::open(path);
  if (!side) return report.find(path, "", std::nullopt, side.error().text(), "give read permission to it");
  const auto noted = side->read();
  if (!noted) {
    return report.find(path, "", std::nullopt, "its line is damaged (a power cut can do that)",
                       "start the bot once, which writes it anew");
  }
  const Books books(database);
  if (noted->store_id != books.store_id()) {
    report.find(path, "", std::nullopt, "it belongs to another store",
                "put back the files that belong together, from one backup");
  } else if (noted->commits > books.commits()) {
    report.find(path, "", std::nullopt,
                "it says that " + std::to_string(noted->commits) +
                    " commits were acknowledged, inbox.db holds only " + std::to_string(books.commits()),
                "acknowledged updates are missing; restore the newest good backup");
  }
}

void check_manifest(const std::string& folder, CheckReport& report) {
  const Result<BackupManifest> manifest = read_manifest(folder);
  report.file();
  if (!manifest)
    return report.find(folder + kManifestName, "", std::nullopt, manifest.error().text(),
                       "use another backup");
  for (const BackupFile& wanted : manifest->files) {
    const Result<BackupFile> found = sum_of_file(folder, wanted.name, "", report.progress());
    const std::string path = folder + "/" + wanted.name;
    if (!found) {
      report.find(path, "", std::nullopt, found.error().text(), "use another backup");
    } else if (found->bytes != wanted.bytes || found->sum != wanted.sum) {
      report.find(path, "", std::nullopt, "it is not as it was backed up: its checksum differs",
                  "use another backup");
    }
  }
}

void check_store(ReadView& view, bool backup, CheckReport& report) {
  Database& database = view.database();
  report.file();
  const bool readable = check_integrity(database, view.path(), false, report);
  report.progress().add(size_of(view.path()));
  if (!readable) return;
  check_store_tables(database, view.path(), report);
  if (!backup) check_side_file(view.folder(), database, report);
}

void check_day(ReadView& view, const DayFileEntry& day, CheckReport& report) {
  report.file();
  try {
    const auto file = view.open_day(day);
    const bool readable = check_integrity(*file, day.path, true, report);
    report.progress().add(day.bytes);
    if (readable) check_day_tables(*file, day.path, day.day, report);
  } catch (const SqliteFailure& failure) {
    report.find(day.path, "", std::nullopt, failure.what(),
                "its finished items can't be found or replayed; move the file away, nothing else needs it");
  }
}

}  // namespace

Result<StoreCheck> check_sqlite_store(const std::string& folder, const Progress& progress) {
  ReadView view(folder, "");
  const bool backup = exists(folder + kManifestName);
  if (!exists(view.path())) {
    return Error(Errc::store_unusable, "there is no store in " + folder +
                                           " (no file inbox.db); name the folder of a bot, or of a backup");
  }
  LockFile lock;
  if (!backup) {
    Result<LockFile> taken = LockFile::take(folder + "/inbox.lock");
    if (!taken) {
      return Error(taken.error().code(),
                   taken.error().text() + ". A running store can be checked by a backup of it");
    }
    lock = std::move(*taken);
  }
  std::uint64_t bytes = size_of(view.path());
  for (const DayFileEntry& day : view.day_files()) bytes += day.bytes;
  CheckReport report(progress, bytes * (backup ? 3 : 2));
  try {
    if (backup) check_manifest(folder, report);
    check_store(view, backup, report);
  } catch (const SqliteFailure& failure) {
    report.find(view.path(), "", std::nullopt, failure.what(), kDamaged);
  } catch (const Failure& failure) {
    return failure.error();
  }
  for (const DayFileEntry& day : view.day_files()) check_day(view, day, report);
  report.progress().set(report.progress().all());
  return report.take();
}

}  // namespace tgkeep::store
