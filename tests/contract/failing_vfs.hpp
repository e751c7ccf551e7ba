#pragma once
// An SQLite VFS over the default one that fails on demand, for every file of one store.

#include <atomic>
#include <string>

namespace tgkeep::store {

/// What goes wrong, and when. Set by the test's thread, read by the store thread.
class Faults {
 public:
  enum class Kind { none, sync_fails, write_fails, disk_full, read_fails };
  /// From the `after`-th operation of that kind on (0 = the next one).
  void start(Kind kind, int after = 0) {
    left_ = after;
    kind_ = kind;
  }
  void stop() { kind_ = Kind::none; }
  /// True when this operation must fail.
  bool strikes(Kind kind) { return kind_ == kind && left_-- <= 0; }
  int writes() const { return writes_; }
  int syncs() const { return syncs_; }
  void count_write() { ++writes_; }
  void count_sync() { ++syncs_; }

 private:
  std::atomic<Kind> kind_ = Kind::none;
  std::atomic<int> left_ = 0;
  std::atomic<int> writes_ = 0;
  std::atomic<int> syncs_ = 0;
};

/// Registered while it lives, as SqliteOptions::vfs.
class FailingVfs {
 public:
  FailingVfs();
  ~FailingVfs();
  FailingVfs(const FailingVfs&) = delete;
  FailingVfs& operator=(const FailingVfs&) = delete;
  static constexpr const char* kName = "tgkeep_failing";
  Faults faults;
};

}  // namespace tgkeep::store
