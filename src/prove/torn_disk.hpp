#pragma once
// A disk that remembers which writes were synced, to tell what a power cut would leave: all that was synced,
// and of the rest any part, whole or torn.

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "prove/dice.hpp"
#include "prove/disk_vfs.hpp"

namespace tgkeep::prove {

class TornDisk final : public DiskScript {
 public:
  /// `before_each` is called by the store's threads, one at a time, before each write, truncation or sync.
  explicit TornDisk(std::function<void()> before_each) : before_each_(std::move(before_each)) {}

  int before_write(const std::string& path, std::int64_t place, std::string_view bytes) override;
  int before_truncate(const std::string& path, std::int64_t size) override;
  int before_sync(const std::string& path) override;
  int before_remove(const std::string& path) override;

  /// Writes into `folder` what a power cut could leave now; true when it lacks something that was written.
  bool write_image(const std::string& folder, Dice& dice) const;

 private:
  class Change {
   public:
    Change(std::int64_t place, std::string bytes) : place(place), bytes(std::move(bytes)) {}
    std::int64_t place;  ///< -1: the file is cut to `size`
    std::string bytes;
    std::int64_t size = 0;
  };
  class File {
   public:
    File() = default;
    std::string synced;
    std::vector<Change> since;
  };
  /// Where it lies below the store's folder.
  static std::string place_of(const std::string& path);
  static void apply(const Change& change, std::string& content);

  std::function<void()> before_each_;
  mutable std::recursive_mutex mutex_;  ///< `before_each` may ask for images
  std::map<std::string, File> files_;
};

}  // namespace tgkeep::prove
