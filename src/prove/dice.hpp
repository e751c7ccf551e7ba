#pragma once
// Seeded chance, the same on every machine (the standard's distributions are not).

#include <cstdint>
#include <tgkeep/time.hpp>

namespace tgkeep::prove {

/// SplitMix64.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }
  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) noexcept {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  Duration between(Duration low, Duration high) noexcept {
    return Duration(between(static_cast<std::int64_t>(low.count()), static_cast<std::int64_t>(high.count())));
  }
  bool chance(double probability) noexcept {
    return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
  }

 private:
  std::uint64_t state_;
};

}  // namespace tgkeep::prove
