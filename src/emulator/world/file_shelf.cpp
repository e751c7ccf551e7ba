#include "emulator/world/file_shelf.hpp"

#include <array>
#include <boost/json/array.hpp>
#include <utility>

#include "emulator/world/base64.hpp"

namespace tgkeep::emulator {

namespace {

using Ending = std::pair<std::string_view, std::string_view>;

constexpr std::array endings = {
    Ending("photos", ".jpg"),     Ending("voice", ".oga"),          Ending("videos", ".mp4"),
    Ending("music", ".mp3"),      Ending("video_notes", ".mp4"),    Ending("stickers", ".webp"),
    Ending("animations", ".mp4"), Ending("profile_photos", ".jpg"),
};

std::string ending_of(std::string_view folder, std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const bool safe = dot != std::string_view::npos && name.find_first_of("/?#", dot) == std::string_view::npos;
  if (safe) return std::string(name.substr(dot));
  for (const auto& [known, ending] : endings) {
    if (known == folder) return std::string(ending);
  }
  return "";
}

}  // namespace

FileRecord& FileShelf::place(FileRecord record, std::string_view folder) {
  record.path = std::string(folder) + "/file_" + std::to_string(last_) + ending_of(folder, record.name);
  const std::string id = record.id;
  FileRecord& kept = files_[id];
  kept = std::move(record);
  return kept;
}

FileRecord& FileShelf::add(std::int64_t bot, std::string_view folder, std::string_view name,
                           std::string_view mime, std::string bytes) {
  FileRecord record;
  const std::string number = std::to_string(++last_);
  record.unique_id = "AgAD" + base64url("file " + number);
  record.id = "BQACAgIAAxkBAA" + base64url("bot " + std::to_string(bot) + " file " + number) + "NgQ";
  record.bot = bot;
  record.name = name;
  record.mime = mime;
  record.size = static_cast<std::int64_t>(bytes.size());
  record.bytes = std::move(bytes);
  return place(std::move(record), folder);
}

FileRecord& FileShelf::add_unknown(std::int64_t bot, std::string_view folder, std::string_view id) {
  FileRecord record;
  record.unique_id = "AgAD" + base64url("file " + std::to_string(++last_));
  record.id = id;
  record.bot = bot;
  record.bytes = "emulated file ";
  record.bytes.append(id);
  record.size = static_cast<std::int64_t>(record.bytes.size());
  return place(std::move(record), folder);
}

FileRecord* FileShelf::find(std::int64_t bot, std::string_view id) {
  const auto found = files_.find(id);
  if (found == files_.end() || found->second.bot != bot) return nullptr;
  return &found->second;
}

FileRecord* FileShelf::find_path(std::int64_t bot, std::string_view path) {
  for (auto& [id, file] : files_) {
    if (file.bot == bot && file.path == path) return &file;
  }
  return nullptr;
}

json::array FileShelf::save() const {
  json::array saved;
  for (const auto& [id, file] : files_) {
    json::object entry;
    entry["id"] = file.id;
    entry["unique_id"] = file.unique_id;
    entry["bot"] = file.bot;
    entry["path"] = file.path;
    entry["name"] = file.name;
    entry["mime"] = file.mime;
    entry["bytes"] = base64(file.bytes);
    entry["size"] = file.size;
    saved.push_back(std::move(entry));
  }
  return saved;
}

void FileShelf::load(const json::array& saved) {
  files_.clear();
  for (const json::value& value : saved) {
    const json::object& entry = value.as_object();
    FileRecord file;
    file.id = string_in(entry, "id");
    file.unique_id = string_in(entry, "unique_id");
    file.bot = number_in(entry, "bot");
    file.path = string_in(entry, "path");
    file.name = string_in(entry, "name");
    file.mime = string_in(entry, "mime");
    file.bytes = from_base64(string_in(entry, "bytes")).value_or("");
    file.size = number_in(entry, "size");
    const std::string id = file.id;
    files_[id] = std::move(file);
  }
}

}  // namespace tgkeep::emulator
