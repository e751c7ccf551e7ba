#pragma once
// A disk that obeys the control page: full, failing, or the last thing the process ever touches.

#include "prove/control.hpp"
#include "prove/disk_vfs.hpp"

namespace tgkeep::prove {

class TormentedDisk final : public DiskScript {
 public:
  explicit TormentedDisk(ControlPage& page) : page_(page) {}
  int before_write(const std::string& path, std::int64_t place, std::string_view bytes) override;
  int before_truncate(const std::string& path, std::int64_t size) override;
  int before_sync(const std::string& path) override;

 private:
  void count();
  ControlPage& page_;
};

}  // namespace tgkeep::prove
