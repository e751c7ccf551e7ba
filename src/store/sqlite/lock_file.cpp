#include "store/sqlite/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tgkeep::store {

Result<LockFile> LockFile::take(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file) {
    return Error(Errc::store_unusable, "the lock file " + path + " can't be opened for writing (" +
                                           std::strerror(errno) +
                                           "); give the process write permission in that folder");
  }
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> owner{};
    const auto length = ::pread(file.get(), owner.data(), owner.size(), 0);
    std::string pid(owner.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    while (!pid.empty() && pid.back() == '\n') pid.pop_back();
    return Error(Errc::store_locked, "the store is in use by process " + (pid.empty() ? "(unknown)" : pid) +
                                         ", which holds " + path +
                                         "; stop that process, or use another folder");
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file.get(), 0) != 0 || ::pwrite(file.get(), pid.data(), pid.size(), 0) < 0) {
    return Error(Errc::store_unusable, "the lock file " + path + " can't be written (" +
                                           std::strerror(errno) + "); check the disk");
  }
  return LockFile(std::move(file));
}

}  // namespace tgkeep::store
