#pragma once
// Whether a flood wait is a chat's or the whole bot's: Telegram says how long, but not for what. Pure.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tgkeep/time.hpp>

namespace tgkeep::rules {

/// One chat after another being told to wait, and none getting through between them, means all of them.
class FloodSpread {
 public:
  static constexpr std::size_t kChats = 5;
  static constexpr Duration kWithin = std::chrono::seconds(1);

  /// A message got through.
  void passed() { told_.clear(); }
  /// This chat was told to wait. When that makes `kChats` of them within `kWithin`: how long all are to wait,
  /// the shortest of what they were told.
  std::optional<Duration> flooded(const std::string& chat, Duration wait, MonoTime now);

 private:
  class Told {
   public:
    Told(MonoTime at, Duration wait) : at(at), wait(wait) {}
    MonoTime at;
    Duration wait;
  };
  std::map<std::string, Told> told_;
};

}  // namespace tgkeep::rules
