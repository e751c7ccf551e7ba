#pragma once
// A duration for a log line.

#include <string>
#include <tgkeep/time.hpp>

namespace tgkeep::words {

/// In milliseconds with one decimal: `0.4`. A negative one is 0.0.
std::string millis_text(Duration duration);

}  // namespace tgkeep::words
