#pragma once
// inbox.commits: how many synced commits this store has acknowledged, kept beside the database. A database
// that counts fewer has lost some (a restored copy, a WAL cut short by one flipped bit): SQLite alone would
// not notice.

#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>

#include "store/sqlite/file_descriptor.hpp"

namespace tgkeep::store {

class SideFile {
 public:
  class Content {
   public:
    Content(std::int64_t store_id, std::int64_t commits) : store_id(store_id), commits(commits) {}
    std::int64_t store_id;
    std::int64_t commits;
  };

  SideFile() = default;
  static Result<SideFile> open(const std::string& path);

  /// Nothing when the file is new, or was torn by a power cut (it is not synced).
  std::optional<Content> read() const;
  /// Overwrites it in place; false when that failed.
  bool write(Content content) noexcept;

 private:
  explicit SideFile(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

}  // namespace tgkeep::store
