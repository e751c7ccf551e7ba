#pragma once
// `tgkeep serve`: the Gateway with a built-in handler.

#include <string>

#include "app/config.hpp"

namespace tgkeep::app {

/// Runs until a signal; returns the Gateway's exit code. The process ends hard when a stop takes 2 s longer
/// than the drain.
int serve(Config config, std::string token);

}  // namespace tgkeep::app
