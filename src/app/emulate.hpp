#pragma once
// Runs the emulator until a signal stops it.

#include <cstdint>
#include <string>
#include <vector>

namespace tgkeep::app {

class EmulateOptions {
 public:
  EmulateOptions() = default;
  std::uint16_t port = 8081;
  std::string address = "127.0.0.1";
  std::vector<std::string> tokens;
  std::string clock = "real";
  double speed = 1;
  std::uint64_t seed = 1;
  bool lenient = false;
  bool no_limits = false;
  bool cloud = false;
  std::string local_folder;
  std::string certificate;
  std::string key;
};

/// The exit code: 0 stopped, 2 wrong options or no port.
int emulate(const EmulateOptions& options);

}  // namespace tgkeep::app
