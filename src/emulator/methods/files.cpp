// getFile and uploads that are no message.

#include <array>
#include <boost/json/array.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "emulator/methods/media.hpp"
#include "emulator/methods/registry.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::int64_t largest_download = 20 << 20;

json::object file_object(const FileRecord& file) {
  json::object shown;
  shown["file_id"] = file.id;
  shown["file_unique_id"] = file.unique_id;
  shown["file_size"] = file.size;
  return shown;
}

/// Where it was put; nothing when that failed.
std::optional<std::string> put_file(const Call& call, const FileRecord& file) {
  const std::filesystem::path folder = std::filesystem::absolute(call.world.local_folder);
  const std::filesystem::path path = folder / std::to_string(call.bot_id()) / file.path;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
  out.close();
  if (error || !out) return std::nullopt;
  return path.string();
}

Answer get_file(Call& call) {
  FileRecord* file = call.world.files.find(call.bot_id(), call.text("file_id"));
  if (file == nullptr && call.world.strict) return Refusal("invalid file_id").answer();
  if (file == nullptr) file = &call.world.files.add_unknown(call.bot_id(), "documents", call.text("file_id"));
  const bool local = !call.world.local_folder.empty();
  if (!local && file->size > largest_download) return Refusal("file is too big").answer();
  json::object shown = file_object(*file);
  const std::optional<std::string> path = local ? put_file(call, *file) : file->path;
  if (!path) return Answer::error(500, "Internal Server Error: can't write the file");
  shown["file_path"] = *path;
  return answer_with(shown);
}

Answer upload_sticker(Call& call) {
  const Checked<FileRecord*> file =
      take_file(call, *find_media_kind("sticker"), call.text("sticker"), "sticker");
  return file ? answer_with(file_object(**file)) : file.error().answer();
}

Answer get_profile_photos(Call& call) {
  const Checked<std::int64_t> user = find_user(call);
  if (!user) return user.error().answer();
  json::object shown;
  shown["total_count"] = 0;
  shown["photos"] = json::array();
  return answer_with(shown);
}

constexpr std::array methods = {
    NamedMethod("getFile", get_file),
    NamedMethod("uploadStickerFile", upload_sticker),
    NamedMethod("getUserProfilePhotos", get_profile_photos),
};

}  // namespace

std::span<const NamedMethod> file_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
