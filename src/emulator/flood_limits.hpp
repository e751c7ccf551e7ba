#pragma once
// How fast a bot may send. No I/O, no clock: time is an argument.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <unordered_map>

namespace tgkeep::emulator {

/// What happens to a call that sends.
class FloodVerdict {
 public:
  FloodVerdict() = default;
  Duration wait{};                      ///< it is done after so long; the server says nothing
  std::chrono::seconds retry_after{0};  ///< not zero: it is refused
};

/// About one message a second to a chat (three at once are fine), 20 a minute to a group, 30 a second in all.
/// Edits count. A wait of up to 8 s is absorbed, a longer one refuses the call.
class FloodLimits {
 public:
  FloodLimits() = default;
  /// Whether calls of that method count at all.
  static bool counts(std::string_view method) noexcept;
  /// Paid broadcasts are not bound by the 30 a second.
  FloodVerdict admit(std::int64_t chat, bool paid, MonoTime now);
  std::size_t chats() const noexcept { return chats_.size(); }

 private:
  /// When the next one would be exactly on time; how far behind that it may be.
  class Meter {
   public:
    Duration wait(Duration interval, std::int64_t burst, MonoTime now) const;
    void take(Duration interval, MonoTime at);
    bool is_idle(MonoTime now) const noexcept { return due_ <= now; }

   private:
    MonoTime due_{};
  };
  struct ChatMeters {
    Meter second;
    std::deque<MonoTime> minute;  ///< when the last twenty to a group were, or will be, sent
  };
  void forget_idle(MonoTime now);

  Meter all_;
  std::unordered_map<std::int64_t, ChatMeters> chats_;
};

static_assert(!std::is_aggregate_v<FloodVerdict>);

}  // namespace tgkeep::emulator
