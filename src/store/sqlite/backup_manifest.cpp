#include "store/sqlite/backup_manifest.hpp"

#include <fcntl.h>

#include <boost/json.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tgkeep/update.hpp>

#include "store/sqlite/file_descriptor.hpp"
#include "store/sqlite/folder.hpp"

namespace tgkeep::store {

namespace {

namespace json = boost::json;

constexpr std::size_t kBlock = 1U << 20;
constexpr std::int64_t kFormat = 1;

Error unusable(const std::string& path, const std::string& doing) {
  const Errc code = errno == ENOSPC ? Errc::store_full : Errc::store_unusable;
  return Error(code, path + " can't be " + doing + " (" + std::strerror(errno) +
                         "); check the disk, its free space and your permissions");
}

Error altered(const std::string& path, const std::string& why) {
  return Error(Errc::corrupt,
               path + " " + why + ": this is not a complete backup as tgkeep made it; use another one");
}

std::string hex(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto [end, failure] = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return std::string(digits.data(), end);
}

std::uint64_t from_hex(const json::value& value) {
  const std::string_view digits = value.as_string();
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

json::object content_of(const BackupManifest& manifest) {
  json::object content;
  content["format"] = kFormat;
  content["store_id"] = manifest.store_id;
  content["schema"] = manifest.schema;
  content["commits"] = manifest.commits;
  content["epoch"] = manifest.epoch;
  content["made_at"] = to_millis(manifest.made);
  json::array files;
  for (const BackupFile& file : manifest.files) {
    json::object entry;
    entry["name"] = file.name;
    entry["bytes"] = file.bytes;
    entry["sum"] = hex(file.sum);
    files.push_back(std::move(entry));
  }
  content["files"] = std::move(files);
  return content;
}

BackupManifest manifest_of(const json::object& content) {
  BackupManifest manifest;
  manifest.store_id = content.at("store_id").to_number<std::int64_t>();
  manifest.schema = content.at("schema").to_number<std::int64_t>();
  manifest.commits = content.at("commits").to_number<std::int64_t>();
  manifest.epoch = content.at("epoch").to_number<std::int64_t>();
  manifest.made = from_millis(content.at("made_at").to_number<std::int64_t>());
  for (const json::value& entry : content.at("files").as_array()) {
    const json::object& file = entry.as_object();
    manifest.files.emplace_back(std::string(file.at("name").as_string()),
                                file.at("bytes").to_number<std::uint64_t>(), from_hex(file.at("sum")));
  }
  return manifest;
}

bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const auto written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::uint64_t BackupManifest::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const BackupFile& file : files) sum += file.bytes;
  return sum;
}

Result<void> write_manifest(const std::string& folder, const BackupManifest& manifest) {
  json::object whole;
  whole["backup"] = content_of(manifest);
  whole["sum"] = hex(stable_hash(json::serialize(whole["backup"])));
  const std::string text = json::serialize(whole) + "\n";
  const std::string path = folder + kManifestName;
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file || !write_all(file.get(), text.data(), text.size()) || ::fsync(file.get()) != 0)
    return unusable(path, "written");
  return sync_folder(folder);
}

Result<BackupManifest> read_manifest(const std::string& folder) {
  const std::string path = folder + kManifestName;
  std::ifstream file(path, std::ios::binary);
  if (!file) return altered(path, "is missing");
  std::ostringstream text;
  text << file.rdbuf();
  try {
    const json::object whole = json::parse(text.str()).as_object();
    const json::object& content = whole.at("backup").as_object();
    if (from_hex(whole.at("sum")) != stable_hash(json::serialize(content)))
      return altered(path, "does not match its checksum");
    if (content.at("format").to_number<std::int64_t>() != kFormat) {
      return Error(Errc::store_version,
                   path + " was written by a newer tgkeep; restore it with that version");
    }
    return manifest_of(content);
  } catch (const std::exception&) {
    return altered(path, "can't be understood");
  }
}

Result<BackupFile> sum_of_file(const std::string& folder, const std::string& name, const std::string& copy,
                               ProgressCount& progress) {
  const std::string path = folder + "/" + name;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return unusable(path, "read");
  FileDescriptor target;
  if (!copy.empty()) {
    target = FileDescriptor(::open(copy.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!target) return unusable(copy, "written");
  }
  std::vector<char> block(kBlock);
  BackupFile sum(name, 0, 0);
  for (;;) {
    std::size_t filled = 0;
    while (filled < block.size()) {
      const auto got = ::read(file.get(), block.data() + filled, block.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return unusable(path, "read");
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    if (filled == 0) break;
    sum.bytes += filled;
    sum.sum = stable_hash(std::string_view(block.data(), filled), sum.sum);
    if (!copy.empty() && !write_all(target.get(), block.data(), filled)) return unusable(copy, "written");
    progress.add(filled);
  }
  if (!copy.empty() && ::fsync(target.get()) != 0) return unusable(copy, "synced");
  return sum;
}

Result<void> sync_file(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) return unusable(path, "synced");
  return Result<void>();
}

}  // namespace tgkeep::store
