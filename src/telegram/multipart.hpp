#pragma once
// A call with files as multipart/form-data: in one piece, or as a plan of what is sent when.

#include <cstdint>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/error.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep::telegram {

/// A stretch of the body: bytes, or a whole file of the disk.
class MultipartStretch {
 public:
  explicit MultipartStretch(std::string text) : text(std::move(text)) {}
  MultipartStretch(std::string path, std::uint64_t size) : path(std::move(path)), size(size) {}
  std::string text;
  std::string path;  ///< not empty: the file's
  std::uint64_t size = 0;
};

class Multipart {
 public:
  Multipart() = default;
  std::string content_type;
  std::vector<MultipartStretch> stretches;
  std::uint64_t length = 0;  ///< of the whole body
};

/// One part for each member of the JSON object `params` (strings as they are, other values as JSON, null left
/// out), then one for each file. `seed` makes the boundary, which is changed until nothing in memory holds
/// it. bad_json when `params` is no object; bad_config when a file of the disk can't be looked at.
Result<Multipart> make_multipart(std::string_view params, const std::vector<ApiFile>& files,
                                 std::uint64_t seed);

static_assert(!std::is_aggregate_v<Multipart> && !std::is_aggregate_v<MultipartStretch>);

}  // namespace tgkeep::telegram
