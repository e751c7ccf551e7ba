#include "prove/torn_disk.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tgkeep::prove {

namespace {
constexpr std::size_t kSector = 512;
}

int TornDisk::before_write(const std::string& path, std::int64_t place, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  before_each_();
  files_[path].since.emplace_back(place, std::string(bytes));
  return SQLITE_OK;
}

int TornDisk::before_truncate(const std::string& path, std::int64_t size) {
  const std::lock_guard lock(mutex_);
  before_each_();
  Change& change = files_[path].since.emplace_back(-1, std::string());
  change.size = size;
  return SQLITE_OK;
}

int TornDisk::before_sync(const std::string& path) {
  const std::lock_guard lock(mutex_);
  before_each_();
  File& file = files_[path];
  for (const Change& change : file.since) apply(change, file.synced);
  file.since.clear();
  return SQLITE_OK;
}

int TornDisk::before_remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.erase(path);
  return SQLITE_OK;
}

void TornDisk::apply(const Change& change, std::string& content) {
  if (change.place < 0) {
    content.resize(static_cast<std::size_t>(change.size));
    return;
  }
  const auto place = static_cast<std::size_t>(change.place);
  if (content.size() < place + change.bytes.size()) content.resize(place + change.bytes.size());
  std::copy(change.bytes.begin(), change.bytes.end(), content.begin() + change.place);
}

std::string TornDisk::place_of(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string name = whole.filename().string();
  const std::string folder = whole.parent_path().filename().string();
  return folder == "history" ? folder + "/" + name : name;
}

bool TornDisk::write_image(const std::string& folder, Dice& dice) const {
  const std::lock_guard lock(mutex_);
  bool lacks = false;
  const double kept = dice.chance(0.3) ? 0 : dice.chance(0.5) ? 0.5 : 0.9;
  for (const auto& [path, file] : files_) {
    std::string content = file.synced;
    for (Change change : file.since) {
      if (!dice.chance(kept)) {
        lacks = true;
        continue;
      }
      if (change.bytes.size() > kSector && dice.chance(0.2)) {
        lacks = true;
        change.bytes.resize(kSector * (1 + dice.next() % (change.bytes.size() / kSector)));
      }
      apply(change, content);
    }
    const std::filesystem::path place = folder + "/" + place_of(path);
    std::filesystem::create_directories(place.parent_path());
    std::ofstream out(place, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  return lacks;
}

}  // namespace tgkeep::prove
