#include "app/watchdog.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace tgkeep::app {
namespace {

using namespace std::chrono_literals;

TEST(WatchdogDeathTest, P9_ends_a_process_that_hangs_with_its_code_and_a_word) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Watchdog watchdog;
        watchdog.arm(1ms, 3);
        for (;;) ::pause();
      },
      testing::ExitedWithCode(3), "handed over again");
}

TEST(Watchdog, is_called_off_when_it_is_destroyed) {
  Watchdog watchdog;
  watchdog.arm(24h, 3);
}

TEST(Watchdog, ends_nothing_unless_it_is_armed) {
  const Watchdog watchdog;
}

}  // namespace
}  // namespace tgkeep::app
