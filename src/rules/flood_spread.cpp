#include "rules/flood_spread.hpp"

#include <algorithm>

namespace tgkeep::rules {

std::optional<Duration> FloodSpread::flooded(const std::string& chat, Duration wait, MonoTime now) {
  std::erase_if(told_, [now](const auto& entry) { return now - entry.second.at > kWithin; });
  told_.insert_or_assign(chat, Told(now, wait));
  if (told_.size() < kChats) return std::nullopt;
  Duration shortest = wait;
  for (const auto& [name, told] : told_) shortest = std::min(shortest, told.wait);
  told_.clear();
  return shortest;
}

}  // namespace tgkeep::rules
