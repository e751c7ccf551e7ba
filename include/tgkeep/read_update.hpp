#pragma once
// From an update's JSON text to an Update: for own suppliers, queues and tests.

#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/update.hpp>

namespace tgkeep {

/// Reads one update, fully validated: id, kind, default ordering keys, lifetime. Errors: bad_json,
/// bad_update, too_large name the trouble and where it is. Pure; any thread.
Result<Update> read_update(BotId bot, WallTime received, std::string raw);

}  // namespace tgkeep
