#pragma once
// Looking into the store of a stopped bot: counts and dead letters.

#include <cstdint>
#include <tgkeep/gateway.hpp>
#include <tgkeep/store.hpp>
#include <vector>

namespace tgkeep::app {

/// What to do with the store in the folder. Results go to stdout, troubles to stderr; all return an exit
/// code.
int print_counts(const BotOptions& options);

/// One line per dead letter (and held call) of the queue, oldest first.
int list_dead(const BotOptions& options, Queue queue);

/// Puts dead letters back to the tail of their queue; all of them when `seqs` is empty.
int retry_dead(const BotOptions& options, Queue queue, std::vector<std::int64_t> seqs);

}  // namespace tgkeep::app
