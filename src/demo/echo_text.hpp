#pragma once
// The text of the demo's answers: it names the update, so that each call can be told from all others.

#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/id.hpp>

namespace tgkeep::demo {

std::string echo_text(UpdateId update);
/// The update such a text answers; nothing for any other text.
std::optional<UpdateId> answered_update(std::string_view text);

}  // namespace tgkeep::demo
