#pragma once
// The ordering keys of updates, as the bot's own rule says.

#include <tgkeep/log.hpp>
#include <tgkeep/sequentialize.hpp>
#include <tgkeep/update.hpp>
#include <vector>

namespace tgkeep::source {

/// Updates whose rule throws keep their default keys, with a line in the log. Unreadable ones have no keys.
void order(std::vector<Update>& updates, const Sequentialize& rule, const Log& log);

}  // namespace tgkeep::source
