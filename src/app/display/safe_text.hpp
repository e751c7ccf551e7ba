#pragma once
// Text of strangers on a terminal: it must not move the cursor, change colours or run backwards.

#include <cstddef>
#include <string>
#include <string_view>

namespace tgkeep::app {

/// Control characters, invisible marks that change the direction of writing, and broken UTF-8, as \xNN and
/// \uNNNN. With `lines`, line breaks stay.
std::string safe_text(std::string_view text, bool lines = false);

/// How many columns a terminal needs for safe text: two for wide characters (Chinese, emoji), none for marks
/// that are put onto the one before.
std::size_t columns_of(std::string_view safe);

/// The beginning of safe text that fits into so many columns, with … when something was cut.
std::string cut_to(std::string_view safe, std::size_t columns);

}  // namespace tgkeep::app
