#pragma once
// One HTTP request to a Unix socket, from a test's thread.

#include <string>

namespace tgkeep::test {

class UnixAnswer {
 public:
  UnixAnswer() = default;
  int status = 0;  ///< 0: nobody answered
  std::string body;
};

/// POST with this JSON, or GET when it is empty. Waits for the whole answer.
UnixAnswer ask_unix(const std::string& socket, const std::string& path, const std::string& json = "");

}  // namespace tgkeep::test
