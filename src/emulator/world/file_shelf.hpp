#pragma once
// The files that were sent, in both directions.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

class FileRecord {
 public:
  FileRecord() = default;
  std::string id;         ///< what this bot calls it
  std::string unique_id;  ///< the same for all bots
  std::int64_t bot = 0;
  std::string path;  ///< of the download, like `documents/file_3.txt`
  std::string name;  ///< as uploaded; may be ""
  std::string mime;  ///< may be ""
  std::string bytes;
  std::int64_t size = 0;
};

class FileShelf {
 public:
  FileShelf() = default;
  /// `folder` is the part of the path that says what it is, like `photos`.
  FileRecord& add(std::int64_t bot, std::string_view folder, std::string_view name, std::string_view mime,
                  std::string bytes);
  /// A file that only its id is known of.
  FileRecord& add_unknown(std::int64_t bot, std::string_view folder, std::string_view id);
  /// By file_id; nullptr when this bot has none of that id.
  FileRecord* find(std::int64_t bot, std::string_view id);
  FileRecord* find_path(std::int64_t bot, std::string_view path);

  json::array save() const;
  void load(const json::array& saved);

 private:
  FileRecord& place(FileRecord record, std::string_view folder);
  std::int64_t last_ = 0;
  std::map<std::string, FileRecord, std::less<>> files_;  ///< by id
};

static_assert(!std::is_aggregate_v<FileRecord>);

}  // namespace tgkeep::emulator
