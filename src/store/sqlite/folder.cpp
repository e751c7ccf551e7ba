#include "store/sqlite/folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "store/sqlite/file_descriptor.hpp"

namespace tgkeep::store {

namespace {

class Filesystem {
 public:
  constexpr Filesystem(std::uint64_t type, std::string_view name) : type(type), name(name) {}
  std::uint64_t type;
  std::string_view name;
};

// statfs(2) and linux/magic.h. FUSE is not here: it may be local.
constexpr std::array kNetworkFilesystems{
    Filesystem(0x6969, "NFS"),      Filesystem(0x517b, "SMB"),       Filesystem(0xff534d42, "CIFS"),
    Filesystem(0xfe534d42, "SMB2"), Filesystem(0x01021997, "9P"),    Filesystem(0x5346414f, "AFS"),
    Filesystem(0x73757245, "Coda"), Filesystem(0x564c, "NCP"),       Filesystem(0x00c36400, "Ceph"),
    Filesystem(0x01161970, "GFS2"), Filesystem(0x7461636f, "OCFS2"), Filesystem(0x0bd00bd0, "Lustre"),
    Filesystem(0x47504653, "GPFS"),
};

Error unusable(const std::string& folder, const std::string& what) {
  return Error(Errc::store_unusable, "the store's folder " + folder + " " + what);
}

}  // namespace

std::string_view network_filesystem(std::uint64_t type) noexcept {
  for (const Filesystem& known : kNetworkFilesystems) {
    if (known.type == (type & 0xffffffff)) return known.name;
  }
  return "";
}

bool make_folders(const std::filesystem::path& folder, std::error_code& failure) {
  failure.clear();
  if (folder.empty() || std::filesystem::is_directory(folder, failure)) return false;
  failure.clear();
  const std::filesystem::path named = folder.has_filename() ? folder : folder.parent_path();
  make_folders(named.parent_path(), failure);
  if (failure) return false;
  if (::mkdir(named.c_str(), S_IRWXU) == 0) return true;
  // Another process may just have made it.
  const std::error_code why(errno, std::generic_category());
  if (!std::filesystem::is_directory(named, failure)) failure = why;
  return false;
}

Result<void> prepare_folder(const std::string& folder) {
  std::error_code failure;
  const bool made = make_folders(folder, failure);
  if (failure || !std::filesystem::is_directory(folder, failure)) {
    return unusable(folder, "can't be made (" +
                                (failure ? failure.message() : std::string("it is not a folder")) +
                                "); choose another one or create it with write permission");
  }
  if (made) {
    const std::string parent = std::filesystem::absolute(folder).parent_path().string();
    if (auto synced = sync_folder(parent); !synced) return synced;
  }
  struct statfs facts {};
  if (::statfs(folder.c_str(), &facts) == 0) {
    const std::string_view network = network_filesystem(static_cast<std::uint64_t>(facts.f_type));
    if (!network.empty()) {
      return unusable(folder, "is on a network filesystem (" + std::string(network) +
                                  "), where locks and syncs can't be relied on; choose one on a local disk");
    }
  }
  return Result<void>();
}

Result<void> sync_folder(const std::string& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || ::fsync(opened.get()) != 0) {
    return unusable(folder, std::string("can't be synced (") + std::strerror(errno) + "); check the disk");
  }
  return Result<void>();
}

std::optional<std::uint64_t> free_bytes(const std::string& folder) noexcept {
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(facts.f_bavail) * facts.f_frsize;
}

std::uint64_t size_of(const std::string& path) noexcept {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  return none ? 0 : size;
}

bool exists(const std::string& path) noexcept {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace tgkeep::store
