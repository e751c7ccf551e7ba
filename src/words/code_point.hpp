#pragma once
// UTF-8 as it comes: from users, files, other programs.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tgkeep::words {

/// One character, or a byte that begins none.
class CodePoint {
 public:
  CodePoint(std::uint32_t value, std::size_t bytes, bool valid) noexcept
      : value(value), bytes(bytes), valid(valid) {}
  std::uint32_t value;  ///< 0 when it is not valid
  std::size_t bytes;    ///< that it takes: 1 when it is not valid
  bool valid;
};

/// What `text` begins with. `text` must not be empty.
CodePoint first_code_point(std::string_view text) noexcept;

static_assert(!std::is_aggregate_v<CodePoint>);

}  // namespace tgkeep::words
