#pragma once
// Whether a story keeps the promises: every update handled, each chat in order, repeats only with a reason.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clients/story.hpp"

namespace tgkeep::test {

/// Updates of each chat, in order of arrival.
using Chats = std::map<std::int64_t, std::vector<std::int64_t>>;

/// Every broken promise as a sentence; empty when all were kept. `retry_after` is what the receiver asks for
/// with 429 and 503 in milliseconds.
std::vector<std::string> broken_promises(const std::vector<Event>& story, const Chats& chats,
                                         std::int64_t retry_after);

}  // namespace tgkeep::test
