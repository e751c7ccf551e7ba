#pragma once
// One log event as the rest of a line, after time and level. Nothing in a value can break or forge a line.

#include <span>
#include <string>
#include <string_view>
#include <tgkeep/log.hpp>

namespace tgkeep::app {

/// `event key=value key="a value"`: control characters and broken UTF-8 as \xNN.
std::string text_line(std::string_view event, std::span<const LogField> fields);

/// `"event":"…","key":"value"` without the braces; broken UTF-8 as U+FFFD.
std::string json_line(std::string_view event, std::span<const LogField> fields);

}  // namespace tgkeep::app
