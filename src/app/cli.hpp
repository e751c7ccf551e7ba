#pragma once
// The program's commands.

namespace tgkeep::app {

/// Reads the arguments, does what they say and returns the exit code: 0 done, 1 failed, 2 wrong arguments or
/// configuration, 3 stopped with something cut off.
int run_cli(int argc, char** argv);

}  // namespace tgkeep::app
