#include "face/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tgkeep::face {

namespace {

Error unusable(const std::string& path, const std::string& what, int number) {
  return Error(Errc::store_unusable, path + " can't be " + what + " (" + std::strerror(number) +
                                         "); check the disk and the rights of its folder");
}

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const noexcept { return number_; }

 private:
  int number_;
};

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  const OpenFile opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.get() >= 0 && ::fsync(opened.get()) == 0;
}

}  // namespace

Result<std::optional<std::string>> read_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::optional<std::string>();
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) return unusable(path, "read", errno == 0 ? EIO : errno);
  return std::optional<std::string>(std::move(text));
}

Result<void> write_file(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  {
    const OpenFile file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
    const bool written = file.get() >= 0 && write_all(file.get(), text) && ::fsync(file.get()) == 0;
    if (!written) return unusable(fresh, "written", errno);
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return unusable(path, "replaced", errno);
  if (!sync_folder_of(path)) return unusable(path, "made durable", errno);
  return Result<void>();
}

}  // namespace tgkeep::face
