#pragma once
// Files in calls: uploaded, named by file_id or by URL, and what messages show of them.

#include <string_view>

#include "emulator/methods/call.hpp"

namespace tgkeep::emulator {

/// What a kind of media is called in methods, and where its files are kept.
class MediaKind {
 public:
  constexpr MediaKind(std::string_view name, std::string_view type, std::string_view folder)
      : name(name), type(type), folder(folder) {}
  std::string_view name;    ///< of the parameter and of the field
  std::string_view type;    ///< of the schema; `photo` is an array of it
  std::string_view folder;  ///< of the download path
};

/// nullptr when there is none of that name.
const MediaKind* find_media_kind(std::string_view name) noexcept;

/// The file that `said` means: `attach://part`, a file_id or a URL (which is not fetched). "" means the part
/// called `part`.
Checked<FileRecord*> take_file(const Call& call, const MediaKind& kind, std::string_view said,
                               std::string_view part);

/// The field of a message: an object of the kind's type, or the array of photo sizes. Details such as
/// `duration` come from `params`.
json::value media_object(const MediaKind& kind, const FileRecord& file, const telegram::Params& params,
                         WallTime now);

/// The content of a message with that media, from a call's parameters.
Checked<json::object> media_content(const Call& call, const MediaKind& kind);

}  // namespace tgkeep::emulator
