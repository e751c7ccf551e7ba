#pragma once
// An update or a call's parameters, laid out for people.

#include <string>
#include <string_view>

namespace tgkeep::app {

/// JSON over several lines, every one beginning with `indent`, or the text as it is when it is no JSON; safe
/// for a terminal.
std::string body_text(std::string_view body, std::string_view indent);

}  // namespace tgkeep::app
