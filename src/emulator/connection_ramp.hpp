#pragma once
// How many connections Telegram opens to a webhook, and how fast. No I/O, no clock: time is an argument.

#include <cstddef>
#include <optional>
#include <tgkeep/time.hpp>

namespace tgkeep::emulator {

/// Without a success in the last 10 s (also at the start): one connection, and at most one new one in 2 s.
/// Else one for each key, at most max_connections; new ones in a burst of 10, then 20 a second.
class ConnectionRamp {
 public:
  explicit ConnectionRamp(std::size_t max_connections) : max_connections_(max_connections) {}

  void succeeded(MonoTime now) { last_success_ = now; }
  /// `keys` that have updates, `open` connections.
  bool may_open(std::size_t keys, std::size_t open, MonoTime now);
  void opened(MonoTime now);
  /// When to ask again after a refusal; nothing when only a change of keys or connections can help.
  std::optional<MonoTime> next_chance(std::size_t keys, std::size_t open, MonoTime now);

 private:
  bool is_active(MonoTime now) const;
  std::size_t wanted(std::size_t keys, MonoTime now) const;
  void refill(MonoTime now);

  std::size_t max_connections_;
  std::optional<MonoTime> last_success_;
  std::optional<MonoTime> last_opened_;
  double tokens_ = 10;
  std::optional<MonoTime> refilled_;
};

}  // namespace tgkeep::emulator
