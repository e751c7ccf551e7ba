#pragma once
// "Really?", for what can't be undone.

#include <string>

namespace tgkeep::app {

/// Returns when the person at the terminal typed yes, or `yes` was said in advance. CommandEnd otherwise: 2
/// when there is no terminal to ask at, 5 when the answer was no.
void confirm(const std::string& question, bool yes);

}  // namespace tgkeep::app
