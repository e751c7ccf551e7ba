#pragma once
// A seeded generator that says its seed when a test fails. TGKEEP_SEED=n repeats a run.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace tgkeep::test {

class Random {
 public:
  Random() : seed_(choose()), engine_(seed_) {}
  std::uint64_t seed() const noexcept { return seed_; }
  /// Uniform in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(engine_); }

 private:
  static std::uint64_t choose() {
    const char* const given = std::getenv("TGKEEP_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  }
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace tgkeep::test

/// Put first into a random test: every failure below then names the seed.
#define TGKEEP_TRACE_SEED(random) SCOPED_TRACE("TGKEEP_SEED=" + std::to_string((random).seed()))
