#pragma once
// How far long work is, on one line of stderr that is written over; nothing when stderr is no terminal.

#include <chrono>
#include <cstdint>
#include <string>

namespace tgkeep::app {

class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  /// Takes the line away.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// A bar; drawn at most ten times a second. `all` 0: as far as it goes, without an end.
  void show(std::uint64_t done, std::uint64_t all, const std::string& remark = {});
  /// Only that it goes on, for work that does not say how far it is.
  void show();

 private:
  void draw(const std::string& text);
  bool is_due();

  std::string what_;
  bool shown_;
  std::size_t columns_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point drawn_;
};

}  // namespace tgkeep::app
