#pragma once
// manifest.json of a backup: what belongs to it. Written last, so that a backup without one is none.

#include <cstdint>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/store_browser.hpp>
#include <tgkeep/time.hpp>
#include <vector>

namespace tgkeep::store {

inline constexpr const char* kManifestName = "/manifest.json";

class BackupFile {
 public:
  BackupFile() = default;
  BackupFile(std::string name, std::uint64_t bytes, std::uint64_t sum)
      : name(std::move(name)), bytes(bytes), sum(sum) {}
  std::string name;  ///< relative to the backup
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;
};

class BackupManifest {
 public:
  BackupManifest() = default;
  std::int64_t store_id = 0;
  std::int64_t schema = 0;
  std::int64_t commits = 0;
  std::int64_t epoch = 0;
  WallTime made{};
  std::vector<BackupFile> files;
  std::uint64_t bytes() const noexcept;
};

/// Written and synced.
Result<void> write_manifest(const std::string& folder, const BackupManifest& manifest);

/// `corrupt` when there is none, or when it is not as it was written.
Result<BackupManifest> read_manifest(const std::string& folder);

/// Counts work that is done, for `Progress`.
class ProgressCount {
 public:
  ProgressCount(const Progress& progress, std::uint64_t all) : progress_(progress), all_(all) {}
  void add(std::uint64_t done) { set(done_ + done); }
  void set(std::uint64_t done) {
    done_ = done;
    if (progress_) progress_(done_ < all_ ? done_ : all_, all_);
  }
  std::uint64_t done() const noexcept { return done_; }
  std::uint64_t all() const noexcept { return all_; }

 private:
  const Progress& progress_;
  std::uint64_t all_;
  std::uint64_t done_ = 0;
};

/// Size and checksum of a file; with `copy`, written there at the same time and synced.
Result<BackupFile> sum_of_file(const std::string& folder, const std::string& name, const std::string& copy,
                               ProgressCount& progress);

/// Makes a file durable.
Result<void> sync_file(const std::string& path);

}  // namespace tgkeep::store
