#pragma once
// The paths of the face. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tgkeep::face {

/// `/bot<token>/[test/]<method>`, `/file/bot<token>/[test/]<path>` and, of our own,
/// `/bot<token>/tgkeep/<what>`. In front of `/bot` and `/file` may stand `/settle` (offsets confirm nothing:
/// updates are settled one by one) and `/bulk` (calls are paced), in either order.
class FacePath {
 public:
  enum class Kind : std::uint8_t {
    method,  ///< `rest` is its name as written; may be empty: then the parameter `method` counts
    file,    ///< `rest` is the path of the file, not decoded
    own,     ///< `rest` is `settle` or `updates`
  };
  FacePath() = default;
  Kind kind = Kind::method;
  std::string token;
  bool test = false;
  bool settles = false;
  bool bulk = false;
  std::string rest;
  std::string query;  ///< without its ?, not decoded
};

/// Nothing when it is no path of the face: 404.
std::optional<FacePath> read_face_path(std::string_view target);

static_assert(!std::is_aggregate_v<FacePath>);

}  // namespace tgkeep::face
