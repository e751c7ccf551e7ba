#include "prove/nature.hpp"

#include <string>
#include <tgkeep/update.hpp>

namespace tgkeep::prove {

using std::chrono::microseconds;

Nature nature_of(std::uint64_t seed, UpdateId update, bool may_end_process) {
  const std::uint64_t roll = stable_hash(std::to_string(update.value()), seed) % 10'000;
  if (roll < 5) return may_end_process ? Nature::poison : Nature::plain;
  if (roll < 25) return Nature::hopeless;
  if (roll < 60) return Nature::refused;
  if (roll < 70) return Nature::hangs;
  if (roll < 170) return Nature::stumbles;
  if (roll < 370) return Nature::slow;
  return Nature::plain;
}

microseconds working_time(std::uint64_t seed, UpdateId update, Nature nature) {
  const std::uint64_t roll = stable_hash(std::to_string(update.value()), seed ^ 0x77) % 1'000'000;
  if (nature == Nature::slow) return microseconds(300'000 + roll * 17 / 10);
  return microseconds(1'000 + roll / 20);
}

bool is_mortal(Nature nature) noexcept {
  return nature == Nature::hopeless || nature == Nature::refused || nature == Nature::poison;
}

bool fails(Nature nature, std::uint32_t attempt) noexcept {
  return nature == Nature::hopeless || (nature == Nature::stumbles && attempt <= 2);
}

}  // namespace tgkeep::prove
