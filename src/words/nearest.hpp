#pragma once
// "Did you mean …?"

#include <span>
#include <string>
#include <string_view>

namespace tgkeep::words {

/// The candidate with the fewest edits from `word`, if these are few enough to be a slip; else "".
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace tgkeep::words
