#pragma once
// An SQLite VFS over the default one that fails on demand, for every file of one store.

#include <atomic>
#include <string>

#include "prove/disk_vfs.hpp"

namespace tgkeep::store {

/// What goes wrong, where and when. Set by the test's thread, read by the store's.
class Faults {
 public:
  enum class Kind { none, sync_fails, write_fails, disk_full, read_fails };
  enum class Where { inbox, history };
  /// From the `after`-th operation of that kind on (0 = the next one). Reads fail everywhere.
  void start(Kind kind, int after = 0, Where where = Where::inbox) {
    left_ = after;
    where_ = where;
    kind_ = kind;
  }
  void stop() { kind_ = Kind::none; }
  /// True when this operation must fail.
  bool strikes(Kind kind) { return kind_ == kind && left_-- <= 0; }
  bool strikes(Kind kind, const std::string& path) {
    const bool history = path.find("/history/") != std::string::npos;
    return history == (where_ == Where::history) && strikes(kind);
  }
  int writes() const { return writes_; }
  int syncs() const { return syncs_; }
  void count_write() { ++writes_; }
  void count_sync() { ++syncs_; }

 private:
  std::atomic<Kind> kind_ = Kind::none;
  std::atomic<Where> where_ = Where::inbox;
  std::atomic<int> left_ = 0;
  std::atomic<int> writes_ = 0;
  std::atomic<int> syncs_ = 0;
};

/// Registered while it lives, as SqliteOptions::vfs.
class FailingVfs {
 public:
  static constexpr const char* kName = "tgkeep_failing";

 private:
  class Script final : public prove::DiskScript {
   public:
    explicit Script(Faults& faults) : faults(faults) {}
    int before_read() override;
    int before_write(const std::string& path, std::int64_t place, std::string_view bytes) override;
    int before_truncate(const std::string& path, std::int64_t size) override;
    int before_sync(const std::string& path) override;
    Faults& faults;
  };

 public:
  Faults faults;

 private:
  Script script_{faults};
  prove::DiskVfs vfs_{kName, script_};
};

}  // namespace tgkeep::store
