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
  /// The same without that line.
  static Result<std::shared_ptr<const Witness>> append_to(const std::string& path);
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// Throws `Failure` when the line can't be written: work that is not witnessed must not count as done.
  void write(std::string_view line) const;
  /// The number of this life; 0 without such a line.
  std::int64_t life() const noexcept { return life_; }

 private:
  Witness(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_;
  std::int64_t life_ = 0;
};

}  // namespace tgkeep::prove
