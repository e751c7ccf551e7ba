#pragma once
// The answer of /api/status, for people.

#include <string>

#include "app/ask/json_fields.hpp"

namespace tgkeep::app {

/// A head line, then a block for each bot: its ways in and out, its two queues, its disk, and what is wrong.
/// `only`: this bot's block alone; "" for all.
std::string status_text(const json::value& status, const std::string& only);

/// Whether the answer knows a bot of that name or id.
bool has_bot(const json::value& status, const std::string& bot);

/// Updates and calls that wait or run, in all bots (or `only` one); not those held for a person.
std::int64_t unsettled(const json::value& status, const std::string& only = {});

}  // namespace tgkeep::app
