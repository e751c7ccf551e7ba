#pragma once
// A child process whose lines a test can wait for.

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::test {

/// stdout and stderr come through one pipe. Every wait gives up after a minute, as a last resort against a
/// hanging test. Destroying it kills the child, if it still runs.
class Process {
 public:
  /// `environment` is added to this process's, without its TGKEEP_ variables.
  Process(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads until a line not seen by an earlier wait holds `part`; false when the output ends before.
  bool wait_for_line(std::string_view part);
  /// Writes to its stdin.
  void tell(std::string_view text);
  /// Its stdin ends.
  void end_input();
  void signal(int number);
  /// Reads to the end and returns the exit code, or minus the signal that ended it.
  int wait();
  /// All it has written, as far as it has been read.
  const std::string& output() const { return output_; }

 private:
  bool read_more();

  pid_t pid_ = -1;
  int out_ = -1;
  int in_ = -1;
  std::string output_;
  std::size_t seen_ = 0;
  bool reaped_ = false;
};

}  // namespace tgkeep::test
