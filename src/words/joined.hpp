#pragma once
// A list as one text.

#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::words {

/// The parts with `between` between them.
std::string joined(const std::vector<std::string>& parts, std::string_view between);

}  // namespace tgkeep::words
