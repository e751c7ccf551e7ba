#include "loop/virtual_clock.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tgkeep::loop {
namespace {

using std::chrono::seconds;

TEST(VirtualClock, alarms_fire_in_order_at_their_time_and_not_after_they_are_destroyed) {
  VirtualClock clock;
  const MonoTime start = clock.mono();
  std::vector<std::pair<int, Duration>> fired;
  auto note = [&](int name) { return [&, name] { fired.emplace_back(name, clock.mono() - start); }; };
  const auto second = clock.at(start + seconds(2), note(2));
  const auto first = clock.at(start + seconds(1), note(1));
  auto dropped = clock.at(start + seconds(1), note(9));
  dropped.reset();
  clock.advance(seconds(5));
  EXPECT_EQ(fired, (std::vector<std::pair<int, Duration>>{{1, seconds(1)}, {2, seconds(2)}}));
  EXPECT_EQ(clock.mono() - start, seconds(5));
}

TEST(VirtualClock, wall_time_can_step_alone) {
  VirtualClock clock;
  const WallTime wall = clock.wall();
  clock.advance(seconds(1));
  clock.step_wall(std::chrono::hours(-1));
  EXPECT_EQ(clock.wall() - wall, seconds(1) - std::chrono::hours(1));
}

}  // namespace
}  // namespace tgkeep::loop
