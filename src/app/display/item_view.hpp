#pragma once
// Items and their histories, for people.

#include <string>
#include <tgkeep/time.hpp>

#include "app/ask/json_fields.hpp"

namespace tgkeep::app {

/// A line for each item of the array.
std::string items_text(const json::array& items, WallTime now);

/// One item with everything about it, its body laid out.
std::string item_text(const json::value& item, WallTime now);

/// The answer of /api/bots/BOT/trace/UPDATE_ID: each run with its moments, failures and calls.
std::string trace_text(const json::value& trace);

}  // namespace tgkeep::app
