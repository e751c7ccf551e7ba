#pragma once
// An update under another update_id. Pure; any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace tgkeep::telegram {

/// Appends `raw`, an update as `read_update` takes it, with `number` as its update_id and every other byte as
/// it was.
void append_renumbered(std::string& text, std::string_view raw, std::int64_t number);
std::string renumbered(std::string_view raw, std::int64_t number);

}  // namespace tgkeep::telegram
