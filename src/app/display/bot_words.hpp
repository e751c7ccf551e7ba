#pragma once
// What the parts of an answer are called for people.

#include <string>
#include <string_view>

#include "app/ask/json_fields.hpp"
#include "app/display/table.hpp"

namespace tgkeep::app {

/// "shop (123456)", "123456", "shop".
std::string bot_name(const json::value& bot);

/// Whether `only` names it, by name or id; "" names all.
bool is_meant(const json::value& bot, const std::string& only);

/// An item's state in words: "in flight", "dead (attempts)"; red, yellow or green.
Cell state_cell(const json::value& item);

/// "attempts 2, expired 1"; "" when all are 0.
std::string counts_text(const json::value& by_word);
std::int64_t sum_of(const json::value& by_word);

/// Whether updates wait at the face while its bot has not asked for them for a minute.
bool nobody_polls(const json::value& bot);

/// How long before `now`; "" when the moment is not known.
std::string ago_text(const json::value& item, std::string_view name, WallTime now);

/// This machine's clock.
WallTime wall_now();

}  // namespace tgkeep::app
