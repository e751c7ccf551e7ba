#pragma once
// An SQLite VFS over the machine's, which asks a script before it touches the disk.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tgkeep::prove {

/// What happens to one operation. Asked by the store's threads, the
/// archiver's too. An answer other than 0 (SQLITE_OK) is what
/// SQLite gets instead, and nothing is done.
class DiskScript {
 public:
  virtual ~DiskScript() = default;
  virtual int before_read() { return 0; }
  virtual int before_write(const std::string& path, std::int64_t place, std::string_view bytes) = 0;
  virtual int before_truncate(const std::string& path, std::int64_t size) = 0;
  virtual int before_sync(const std::string& path) = 0;
  virtual int before_remove(const std::string&) { return 0; }

 protected:
  DiskScript() = default;
  DiskScript(const DiskScript&) = delete;
  DiskScript& operator=(const DiskScript&) = delete;
};

/// Registered while it lives; one of a name at a time. `script` must outlive it and every store opened with
/// it.
class DiskVfs {
 public:
  /// `is_default`: stores that name no VFS use it.
  DiskVfs(const std::string& name, DiskScript& script, bool is_default = false);
  ~DiskVfs();
  DiskVfs(const DiskVfs&) = delete;
  DiskVfs& operator=(const DiskVfs&) = delete;

 private:
  class Registered;
  std::unique_ptr<Registered> registered_;
};

}  // namespace tgkeep::prove
