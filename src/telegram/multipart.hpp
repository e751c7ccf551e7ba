#pragma once
// A call with files as multipart/form-data. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/error.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::telegram {

class Multipart {
 public:
  Multipart() = default;
  std::string content_type;
  std::string body;
};

/// One part for each member of the JSON object `params` (strings as they are, other values as JSON, null left
/// out), then one for each file. `seed` makes the boundary, which is changed until no content holds it.
/// bad_json when `params` is no object.
Result<Multipart> make_multipart(std::string_view params, const std::vector<ApiFile>& files,
                                 std::uint64_t seed);

static_assert(!std::is_aggregate_v<Multipart>);

}  // namespace tgkeep::telegram
