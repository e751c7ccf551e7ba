#pragma once
// Which kinds of updates Telegram is asked for, and whether it has been told.

#include <cstdint>
#include <string>
#include <vector>

namespace tgkeep::source {

/// As sets: neither order nor repetition counts.
bool same_kinds(std::vector<std::string> one, std::vector<std::string> other);

/// Whether the server has what is wanted now, although the wish may change while it is being told.
class KindsTold {
 public:
  explicit operator bool() const noexcept { return told_ == wanted_; }
  /// What a call carries that is made now; to be given to `said` when it succeeded.
  std::uint64_t wanted() const noexcept { return wanted_; }
  void said(std::uint64_t carried) noexcept { told_ = carried; }
  void want_again() noexcept { ++wanted_; }
  void forget() noexcept { told_ = 0; }

 private:
  std::uint64_t wanted_ = 1;
  std::uint64_t told_ = 0;
};

}  // namespace tgkeep::source
