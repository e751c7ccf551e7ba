#include "emulator/methods/media.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/methods/new_message.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::array kinds = {
    MediaKind("animation", "Animation", "animations"),
    MediaKind("audio", "Audio", "music"),
    MediaKind("document", "Document", "documents"),
    MediaKind("live_photo", "LivePhoto", "videos"),
    MediaKind("photo", "PhotoSize", "photos"),
    MediaKind("sticker", "Sticker", "stickers"),
    MediaKind("video", "Video", "videos"),
    MediaKind("video_note", "VideoNote", "video_notes"),
    MediaKind("voice", "Voice", "voice"),
};
constexpr std::size_t largest_photo = 10U << 20;
constexpr std::int64_t photo_side = 800;

bool is_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

std::string_view last_segment(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  return url.substr(url.rfind('/') + 1);
}

bool has_field(const schema::Type& type, std::string_view name) {
  return std::ranges::any_of(type.fields(), [name](const schema::Slot& slot) { return slot.name == name; });
}

void set_file(json::object& object, const schema::Type& type, const FileRecord& file) {
  object["file_id"] = file.id;
  object["file_unique_id"] = file.unique_id;
  object["file_size"] = file.size;
  if (!file.name.empty() && has_field(type, "file_name")) object["file_name"] = file.name;
  if (!file.mime.empty() && has_field(type, "mime_type")) object["mime_type"] = file.mime;
}

}  // namespace

const MediaKind* find_media_kind(std::string_view name) noexcept {
  const auto found = std::ranges::find(kinds, name, &MediaKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

Checked<FileRecord*> take_file(const Call& call, const MediaKind& kind, std::string_view said,
                               std::string_view part) {
  constexpr std::string_view attached = "attach://";
  FileShelf& files = call.world.files;
  const bool is_part = said.empty() || said.starts_with(attached);
  if (is_part) {
    const telegram::Upload* upload = call.params.part(said.empty() ? part : said.substr(attached.size()));
    if (upload == nullptr && said.empty())
      return Refusal("there is no " + std::string(part) + " in the request");
    if (upload == nullptr) return Refusal("wrong file identifier/HTTP URL specified");
    if (upload->bytes.empty()) return Refusal("file must be non-empty");
    if (kind.name == "photo" && upload->bytes.size() > largest_photo) {
      return Refusal("file of size " + std::to_string(upload->bytes.size()) +
                     " bytes is too big for a photo; the maximum size is " + std::to_string(largest_photo) +
                     " bytes");
    }
    return &files.add(call.bot_id(), kind.folder, upload->file_name, upload->type, upload->bytes);
  }
  if (FileRecord* known = files.find(call.bot_id(), said)) return known;
  if (is_url(said)) {
    return &files.add(call.bot_id(), kind.folder, last_segment(said), "", "emulated content of a URL");
  }
  if (call.world.strict) return Refusal("wrong file identifier/HTTP URL specified");
  return &files.add_unknown(call.bot_id(), kind.folder, said);
}

json::value media_object(const MediaKind& kind, const FileRecord& file, const telegram::Params& params,
                         WallTime now) {
  const schema::Type& type = *schema::find_type(kind.type);
  const schema::Synthesis synthesis(params, now, nullptr);
  json::object object = synthesis.value(type, kind.name).as_object();
  set_file(object, type, file);
  if (kind.name != "photo") return object;
  object["width"] = photo_side;
  object["height"] = photo_side;
  json::array sizes;
  sizes.push_back(std::move(object));
  return sizes;
}

Checked<json::object> media_content(const Call& call, const MediaKind& kind) {
  const Checked<FileRecord*> file = take_file(call, kind, call.text(kind.name), kind.name);
  if (!file) return file.error();
  json::object content;
  content[json_view(kind.name)] = media_object(kind, **file, call.params, call.now);
  if (kind.name == "animation") {
    content["document"] = media_object(*find_media_kind("document"), **file, call.params, call.now);
  }
  Checked<json::object> caption = caption_content(call);
  if (!caption) return caption;
  merge(content, *std::move(caption));
  if (call.params.flag("has_spoiler")) content["has_media_spoiler"] = true;
  return content;
}

}  // namespace tgkeep::emulator
