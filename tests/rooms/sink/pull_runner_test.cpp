#include "rooms/sink/pull_world.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

void live(Random& random, bool settles) {
  PullWorld world(random, settles);
  for (int step = 0; step < 600; ++step) {
    const std::int64_t dice = random.between(0, 99);
    if (dice < 8) {
      world.put(random.between(1, 12));
    } else if (dice < 50) {
      if (world.may_poll()) world.poll();
    } else if (dice < 88) {
      world.work();
    } else if (dice < 94) {
      world.pass(std::chrono::milliseconds(random.between(0, 5000)));
    } else if (dice < 97) {
      world.kill_bot();
    } else if (dice < 98) {
      world.kill_tgkeep();
    }
    if (testing::Test::HasFailure()) return;
  }
  for (int step = 0; step < 20'000 && world.diary.done.size() < world.diary.keys.size(); ++step) {
    if (world.may_poll()) world.poll();
    world.work();
    world.pass(step % 100 == 99 ? Duration(1min) : Duration(5ms));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(world.diary.done.size(), world.diary.keys.size()) << "some never ended";
  EXPECT_EQ(world.counts().done, world.counts().stored);
  EXPECT_LE(world.diary.repeats(), world.may_repeat)
      << "more came again than was in flight when something died";
}

TEST(PullRunner, P3_P4_P5_whatever_dies_nothing_is_lost_order_holds_and_only_what_was_in_flight_repeats) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  for (int world = 0; world < 12 && !testing::Test::HasFailure(); ++world) live(random, false);
}

TEST(PullRunner, P3_P4_P5_the_same_holds_for_a_bot_that_settles_one_by_one) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  for (int world = 0; world < 12 && !testing::Test::HasFailure(); ++world) live(random, true);
}

}  // namespace
}  // namespace tgkeep::test
