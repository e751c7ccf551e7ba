// The house in virtual time, with everything failing that can (P1-P10, P12).

#include <gtest/gtest.h>

#include "prove/sim_world.hpp"
#include "support/random.hpp"

namespace tgkeep::prove {
namespace {

std::string text_of(const SimWorld& world) {
  std::string text;
  for (const std::string& problem : world.checker().problems()) text += problem + "\n";
  return text;
}

TEST(Simulation, P1_P2_P3_P4_P5_P7_P8_P9_P10_P12_every_promise_holds_whatever_fails) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  for (std::uint64_t i = 0; i < 100 && !HasFailure(); ++i) {
    const std::uint64_t seed = (random.seed() % 1'000'000'000) * 1000 + i;
    SimWorld world(seed);
    world.run();
    EXPECT_TRUE(world.checker().problems().empty()) << "tgkeep prove --sim --seeds 1 --seed " << seed << "\n"
                                                    << text_of(world);
    EXPECT_GE(world.checker().steps(), 1000);
  }
}

TEST(Simulation, the_same_seed_gives_the_same_run) {
  for (const std::uint64_t seed : {7U, 8U, 9U}) {
    SimWorld one(seed);
    SimWorld two(seed);
    one.run();
    two.run();
    EXPECT_EQ(one.checker().steps(), two.checker().steps());
    EXPECT_EQ(one.lasted(), two.lasted());
    for (std::size_t i = 0; i < kSimFaults; ++i) {
      EXPECT_EQ(one.coverage().of(static_cast<SimFault>(i)), two.coverage().of(static_cast<SimFault>(i)));
    }
  }
}

}  // namespace
}  // namespace tgkeep::prove
