#pragma once
// How often an address has shown a wrong token: after some it must wait, right or wrong.

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>

namespace tgkeep::admin {

/// Everything on the loop's thread.
class WrongTokens {
 public:
  static constexpr int kAllowed = 10;  ///< within the time below
  static constexpr Duration kWindow = std::chrono::minutes(1);
  static constexpr std::size_t kMost = 1000;  ///< addresses that are remembered

  explicit WrongTokens(Clock& clock) : clock_(clock) {}
  /// How long `peer` has to wait; nothing when it may try.
  std::optional<Duration> wait_of(const std::string& peer);
  void count(const std::string& peer);

 private:
  class Tally {
   public:
    Tally() = default;
    int count = 0;
    MonoTime until{};
  };
  void forget_old();

  Clock& clock_;
  std::map<std::string, Tally> tallies_;
};

}  // namespace tgkeep::admin
