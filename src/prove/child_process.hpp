#pragma once
// One child process: started, signalled, waited for, and never left behind.

#include <sys/types.h>

#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <utility>
#include <vector>

namespace tgkeep::prove {

/// Killed and reaped when destroyed while it runs.
class ChildProcess {
 public:
  /// Runs `command` (a path and its arguments) with this environment plus `additions`; it inherits no
  /// descriptor but its output, which is appended to the file `output`.
  static Result<ChildProcess> start(std::vector<std::string> command, std::vector<std::string> additions,
                                    const std::string& output);
  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { end(); }

  void signal(int number) const;
  /// How it ended, in words ("exit code 0"), once it has; does not wait.
  std::optional<std::string> ended();
  /// SIGKILL, and waits for the end.
  void end() noexcept;

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_;  ///< 0: reaped
};

/// What `ended` says of a process that ended well.
inline constexpr const char* ended_well = "exit code 0";

}  // namespace tgkeep::prove
