#pragma once
// A point in time as people write it.

#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/time.hpp>

namespace tgkeep::app {

/// One of: `now`, `today`, `yesterday` (their first moment), `2h` (so long ago), `10:00` (today),
/// `2026-11-29`, `2026-11-29T10:00` or `…T10:00:30`, with a blank instead of the T, and with Z or +03:00 at
/// the end (else local time), `@1764450000` (seconds since 1970), or milliseconds since 1970. bad_config
/// says so.
Result<WallTime> read_moment(std::string_view text, WallTime now);

}  // namespace tgkeep::app
