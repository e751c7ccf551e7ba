// A backup becomes a store: checked and copied into FOLDER.restoring, which then gets the name.
#include <filesystem>
#include <system_error>
#include <tgkeep/sqlite_files.hpp>

#include "store/sqlite/backup_manifest.hpp"
#include "store/sqlite/folder.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/side_file.hpp"

namespace tgkeep::store {

namespace {

namespace fs = std::filesystem;

Error not_written(const std::string& path, const std::string& why) {
  return Error(Errc::store_unusable, path + " can't be written (" + why +
                                         "); choose another folder, or check the disk and your permissions");
}

Result<void> check_target(const std::string& folder) {
  std::error_code failure;
  if (!fs::exists(folder, failure)) return Result<void>();
  if (fs::is_directory(folder, failure) && fs::is_empty(folder, failure) && !failure) return Result<void>();
  return Error(Errc::misuse, folder +
                                 " is not an empty folder; restore into a new one, then point the bot's "
                                 "folder at it");
}

bool is_ours(const std::string& name) {
  return name == "inbox.db" || (name.starts_with("history/") && name.ends_with(".db") &&
                                name.find('/') == name.rfind('/') && name.find("..") == std::string::npos);
}

Result<void> copy_files(const std::string& backup, const std::string& to, const BackupManifest& manifest,
                        ProgressCount& progress) {
  for (const BackupFile& wanted : manifest.files) {
    const std::string from = backup + "/" + wanted.name;
    if (!is_ours(wanted.name))
      return Error(Errc::corrupt,
                   backup + kManifestName + " names a file that no backup has: " + wanted.name);
    std::error_code failure;
    if (!fs::exists(from, failure))
      return Error(Errc::corrupt, from + " is missing: the backup is not complete; use another one");
    const Result<BackupFile> found = sum_of_file(backup, wanted.name, to + "/" + wanted.name, progress);
    if (!found) return found.error();
    if (found->bytes != wanted.bytes || found->sum != wanted.sum)
      return Error(Errc::corrupt,
                   from + " is not as it was backed up (its checksum differs); use another backup");
  }
  return Result<void>();
}

// Nobody crashed with it: a suspect that ran alone must not die for the restoring.
void forget_suspects(const std::string& folder) {
  Database database(folder + "/inbox.db", "");
  database.exec("UPDATE flight SET solo=0");
  database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
}

Result<void> write_side_file(const std::string& folder, const BackupManifest& manifest) {
  const std::string path = folder + "/inbox.commits";
  Result<SideFile> side = SideFile::open(path);
  if (!side) return side.error();
  if (!side->write(SideFile::Content(manifest.store_id, manifest.commits)))
    return not_written(path, "no space");
  return sync_file(path);
}

Result<void> fill(const std::string& backup, const std::string& partial, const BackupManifest& manifest,
                  const Progress& progress) {
  fs::remove_all(partial);  // of a restore that did not end
  fs::create_directories(partial);
  fs::permissions(partial, fs::perms::owner_all);
  const bool history = manifest.files.size() > 1;
  if (history) fs::create_directory(partial + "/history");
  ProgressCount count(progress, manifest.bytes());
  if (auto copied = copy_files(backup, partial, manifest, count); !copied) return copied;
  try {
    forget_suspects(partial);
  } catch (const SqliteFailure& failure) {
    return not_written(partial + "/inbox.db", failure.what());
  }
  if (auto written = write_side_file(partial, manifest); !written) return written;
  if (auto synced = sync_file(partial + "/inbox.db"); !synced) return synced;
  if (history) {
    if (auto synced = sync_folder(partial + "/history"); !synced) return synced;
  }
  return sync_folder(partial);
}

}  // namespace

Result<RestoreReport> restore_sqlite_store(const std::string& backup, const std::string& folder,
                                           const Progress& progress) {
  const Result<BackupManifest> manifest = read_manifest(backup);
  if (!manifest) return manifest.error();
  if (manifest->schema > kSchemaVersion) {
    return Error(Errc::store_version, backup + " holds a store of schema version " +
                                          std::to_string(manifest->schema) + ", this program knows " +
                                          std::to_string(kSchemaVersion) +
                                          " and older; restore it with the version that wrote it");
  }
  if (auto target = check_target(folder); !target) return target.error();
  const std::string name = fs::absolute(folder).lexically_normal().string();
  const std::string target = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
  const std::string partial = target + ".restoring";
  try {
    const Result<void> filled = fill(backup, partial, *manifest, progress);
    if (!filled) {
      fs::remove_all(partial);
      return filled.error();
    }
    fs::rename(partial, target);
  } catch (const fs::filesystem_error& failure) {
    return not_written(failure.path1().string(), failure.code().message());
  }
  if (auto synced = sync_folder(fs::path(target).parent_path().string()); !synced) return synced.error();
  RestoreReport report;
  report.commits = manifest->commits;
  report.made = manifest->made;
  report.bytes = manifest->bytes();
  return report;
}

}  // namespace tgkeep::store
