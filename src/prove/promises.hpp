#pragma once
// The promises a run of `tgkeep prove` holds a bot to, and where they were broken.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::prove {

enum class Promise : std::uint8_t {
  no_loss_after_acknowledgement,  ///< P1: what Telegram saw acknowledged is in the store
  stored_once,                    ///< P2
  at_least_once,                  ///< P3: handled, or a dead letter for a reason
  order_per_key,                  ///< P5
  bounded_attempts,               ///< P7: no dead letter that its nature or the crashes do not explain
  sums,                           ///< P8, by the store's own audit
  bounded_stop,                   ///< P9
  bounded_recovery,               ///< P10: it never stands still, and does not end by itself
  no_double_send,                 ///< P12: a call arrives again only when it was in doubt
  calls_kept,                     ///< P12: every call arrives
  outcomes_told,                  ///< what the face says of a call is true: sent, maybe, or not
  flood_is_local,                 ///< a chat's flood wait holds up no other chat
  count_,
};
inline constexpr std::size_t kPromises = static_cast<std::size_t>(Promise::count_);

std::string_view to_string(Promise promise) noexcept;

class Promises {
 public:
  Promises() = default;
  void broken(Promise promise, std::string how);
  void add(const Promises& other);
  std::int64_t violations(Promise promise) const noexcept {
    return counts_[static_cast<std::size_t>(promise)];
  }
  bool all_kept() const noexcept { return problems_.empty(); }
  /// The first few, in words.
  const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  std::array<std::int64_t, kPromises> counts_{};
  std::vector<std::string> problems_;
};

}  // namespace tgkeep::prove
