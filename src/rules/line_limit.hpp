#pragma once
// Log lines that strangers cause: at most one in a while, so that a flood of them fills no disk. Pure.

#include <cstdint>
#include <optional>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

class LineLimit {
 public:
  explicit LineLimit(Duration pause = std::chrono::seconds(1)) : pause_(pause) {}

  /// Whether to write a line now: how many were kept back since the one before; nothing: keep this one back.
  std::optional<std::int64_t> ask(MonoTime now) noexcept {
    if (last_ && now - *last_ < pause_) {
      ++kept_back_;
      return std::nullopt;
    }
    last_ = now;
    const std::int64_t kept_back = kept_back_;
    kept_back_ = 0;
    return kept_back;
  }

 private:
  Duration pause_;
  std::optional<MonoTime> last_;
  std::int64_t kept_back_ = 0;
};

}  // namespace tgkeep::rules
