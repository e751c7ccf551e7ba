#pragma once
// The header Retry-After. Pure; any thread.

#include <optional>
#include <string_view>
#include <tgkeep/time.hpp>

namespace tgkeep::sink {

/// How long it asks to wait, in seconds or until an HTTP date (`Sun, 06 Nov 1994 08:49:37 GMT`): at least
/// one second, at most an hour, as Telegram takes it. Nothing when it is neither.
std::optional<Duration> read_retry_after(std::string_view text, WallTime now);

}  // namespace tgkeep::sink
