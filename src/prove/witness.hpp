#pragma once
// Writes a handler's log: see handler_log.hpp.

#include <memory>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>

namespace tgkeep::prove {

/// Appends whole lines with one unbuffered write each. Any thread.
class Witness {
 public:
  /// Opens or makes the file and writes this life's line, numbered after those already there.
  static Result<std::shared_ptr<const Witness>> open(const std::string& path);
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// Throws `Failure` when the line can't be written: work that is not witnessed must not count as done.
  void write(std::string_view line) const;

 private:
  Witness(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_;
};

}  // namespace tgkeep::prove
