#include "prove/control.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>
#include <utility>

namespace tgkeep::prove {

static_assert(std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<ControlPage::Disk>::is_always_lock_free);

Result<Control> Control::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  // A new file reads as zeros, which is what a fresh page holds.
  const bool sized = file >= 0 && ::ftruncate(file, sizeof(ControlPage)) == 0;
  void* const memory =
      sized ? ::mmap(nullptr, sizeof(ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  const std::string why = std::generic_category().message(errno);
  if (file >= 0) ::close(file);
  if (memory != MAP_FAILED) return Control(static_cast<ControlPage*>(memory));
  return Error(Errc::bad_config,
               "can't share memory through " + path + ": " + why + "; choose another folder");
}

Control::Control(Control&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}

Control::~Control() {
  if (page_ != nullptr) ::munmap(page_, sizeof(ControlPage));
}

}  // namespace tgkeep::prove
