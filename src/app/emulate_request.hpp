#pragma once
// One control request to a running emulator.

#include <string>
#include <vector>

namespace tgkeep::app {

/// Prints the result as JSON. `arguments` are `name=value`: a value that is JSON is taken as such; `file=` of
/// `updates` reads a file with an update or a list of them, elsewhere a file's bytes. The exit code: 0, 1
/// when it was refused or not reached, 2 for wrong arguments.
int ask_emulator(const std::string& root, const std::string& request,
                 const std::vector<std::string>& arguments);

}  // namespace tgkeep::app
