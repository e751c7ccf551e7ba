#pragma once
// The program's commands.

namespace tgkeep::app {

/// Reads the arguments, does what they say and returns the exit code (commands/exit_code.hpp).
int run_cli(int argc, char** argv);

}  // namespace tgkeep::app
