#pragma once
// What is in flight is not erased under its handler's hands: erasing waits a while for it to end, then says
// which items it had to leave.

#include <tgkeep/store_browser.hpp>
#include <utility>
#include <vector>

namespace tgkeep::store {

class ErasePatience {
 public:
  static constexpr std::chrono::milliseconds kPause{250};  ///< between two looks
  static constexpr std::chrono::seconds kLimit{30};

  explicit ErasePatience(MonoTime now) : end_(now + kLimit) {}
  bool ended(MonoTime now) const noexcept { return now >= end_; }

 private:
  MonoTime end_;
};

void add(Erased& sum, const Erased& more) noexcept;

/// Everything else was erased.
Error still_in_flight(const std::vector<std::pair<Queue, Seq>>& items);

}  // namespace tgkeep::store
