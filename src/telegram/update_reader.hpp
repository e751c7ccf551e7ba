#pragma once
// Raw JSON → Update: id, kind, ordering keys, lifetime. Pure; any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/update.hpp>
#include <vector>

namespace tgkeep::telegram {

/// One update is at most 512 KiB at Telegram; we take twice that and refuse the rest.
inline constexpr std::size_t kMaxUpdate = 1U << 20;

/// Reads one update, fully validated. bad_json, bad_update or too_large name the trouble and where it is.
Result<Update> read_update(BotId bot, WallTime received, std::string raw);

/// Never fails: a piece that can't be read becomes an update with `unreadable` set, its id if that can be
/// found, else a negative hash of its bytes.
Update read_or_keep(BotId bot, WallTime received, std::string raw);

/// Cuts a JSON array (getUpdates' `result`) into its elements without validating them, so that one bad
/// element does not spoil the others. bad_answer when the text is not one complete array.
Result<std::vector<std::string_view>> cut_array(std::string_view json);

}  // namespace tgkeep::telegram
