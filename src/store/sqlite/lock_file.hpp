#pragma once
// inbox.lock: at most one store, in any process, owns a folder. The lock ends with its owner, however that
// ends.

#include <string>
#include <tgkeep/error.hpp>

#include "store/sqlite/file_descriptor.hpp"

namespace tgkeep::store {

class LockFile {
 public:
  LockFile() = default;
  /// Takes the lock and writes our process id into the file; store_locked names the owner's.
  static Result<LockFile> take(const std::string& path);

 private:
  explicit LockFile(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

}  // namespace tgkeep::store
