#pragma once
// The folder of day files: which there are, how large they are, and those that are being written. Used by the
// archiver's thread; what throws, throws SqliteFailure.

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/day_file.hpp"

namespace tgkeep::store {

/// One file of the folder, or one that was set aside.
class DayFileEntry {
 public:
  DayFileEntry(Day day, std::string path, std::uint64_t bytes)
      : day(day), path(std::move(path)), bytes(bytes) {}
  Day day;
  std::string path;
  std::uint64_t bytes;  ///< with its WAL
};

/// The day files below the store's folder, oldest first; any thread, any process.
std::vector<DayFileEntry> list_day_files(const std::string& store_folder);

class DayFiles {
 public:
  /// `folder` is the store's.
  DayFiles(std::string folder, std::string vfs);

  /// Writes into the day's file, which it opens or makes; durable after `commit`. A file that turns out to be
  /// damaged is set aside, so that the next try makes a new one.
  void insert(Day day, const Cursor& item);
  void insert_failure(Day day, const Cursor& failure);
  void commit();
  /// Takes away the items that were written first, until at most `bytes` are used; true when there were any.
  bool trim(Day day, std::uint64_t bytes);
  void drop(const DayFileEntry& entry);
  /// What is not committed is rolled back.
  void close() { open_.clear(); }
  /// The writing connection of that file, made if needed.
  DayFile& open(Day day);

  std::vector<DayFileEntry> list() const { return list_day_files(folder_); }
  /// Counts what is there.
  void measure();
  /// As measured last; any thread.
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  template <class Work>
  void guarded(Day day, Work work);
  std::string path(Day day) const;

  std::string folder_;
  std::string vfs_;
  std::map<Day, DayFile> open_;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace tgkeep::store
