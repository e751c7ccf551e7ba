#pragma once
// Text for man pages.

#include <string>
#include <string_view>

namespace tgkeep::app {

/// Text that roff takes for nothing but text.
std::string roff(std::string_view text);

/// The same for some lines, of which indented ones are examples and stay as they are.
std::string roff_with_examples(std::string_view text);

}  // namespace tgkeep::app
