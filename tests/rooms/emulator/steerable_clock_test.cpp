#include "emulator/steerable_clock.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace tgkeep::emulator {
namespace {

using namespace std::chrono_literals;

// As an emulator that stops while a webhook's next hour, or a poll whose bot has gone, is waited for.
TEST(SteerableClock, a_loop_ends_once_nobody_waits_any_more) {
  boost::asio::io_context io(1);
  SteerableClock clock(io.get_executor(), SteerableClock::Pace::real);
  auto far = clock.at(clock.mono() + 1h, [] {});
  auto near = clock.at(clock.mono() + 1min, [] {});
  io.poll();
  EXPECT_FALSE(io.stopped());
  near.reset();
  far.reset();
  io.poll();
  EXPECT_TRUE(io.stopped());
}

TEST(SteerableClock, a_wait_that_remains_is_kept) {
  boost::asio::io_context io(1);
  SteerableClock clock(io.get_executor(), SteerableClock::Pace::real);
  bool rang = false;
  const auto alarm = clock.at(clock.mono() + 20ms, [&] { rang = true; });
  clock.at(clock.mono() + 1ms, [] {}).reset();
  io.run();
  EXPECT_TRUE(rang);
}

}  // namespace
}  // namespace tgkeep::emulator
