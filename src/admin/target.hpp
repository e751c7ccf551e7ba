#pragma once
// What a request asks for: the parts of its path and its parameters, decoded.

#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep::admin {

class Target {
 public:
  Target() = default;
  std::vector<std::string> path;                           ///< its parts; `/` has none
  std::vector<std::pair<std::string, std::string>> query;  ///< in their order
};

/// Percent signs and plus signs (in the query) decoded. Refused: broken escapes, what is no UTF-8, control
/// characters, more than 64 parameters, more than 8 KiB.
Result<Target> read_target(std::string_view target);

/// The path as sent, without the query.
std::string_view raw_path(std::string_view target) noexcept;

static_assert(!std::is_aggregate_v<Target>);

}  // namespace tgkeep::admin
