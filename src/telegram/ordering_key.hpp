#pragma once
// From an update's content to its ordering keys.

#include <simdjson.h>

#include <optional>
#include <string>
#include <tgkeep/update.hpp>
#include <vector>

#include "telegram/update_kinds.hpp"

namespace tgkeep::telegram {

/// `content` is the value of the kind's field. Texts are `chat:ID`, `chat:bc=CONNECTION:ID` for the chats of
/// a business account, `chat:guest:ID` for guest messages, `poll:ID` and `user:ID`: their ids may be equal
/// and mean different things, so namespaces never meet. Empty when nothing to order by is found.
std::vector<OrderingKey> ordering_keys(BotId bot, KeyRule rule, simdjson::dom::element content);

/// `user:ID` of the one whose action it is: of `from`, else of `user`.
std::optional<std::string> user_key(simdjson::dom::element content);

}  // namespace tgkeep::telegram
