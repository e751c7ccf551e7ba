#include "loop/task_group.hpp"

#include <gtest/gtest.h>

#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::loop {
namespace {

asio::awaitable<void> wait_long(Clock& clock, int& ended) {
  try {
    co_await sleep_for(clock, std::chrono::hours(1));
  } catch (...) {
    ++ended;
    throw;
  }
}

asio::awaitable<void> fail() {
  throw std::runtime_error("broken");
  co_return;
}

TEST(TaskGroup, cancel_ends_every_task_and_join_waits_for_them) {
  asio::io_context io;
  VirtualClock clock;
  int ended = 0;
  TaskGroup group(io.get_executor(), Log());
  group.spawn("one", wait_long(clock, ended));
  group.spawn("two", wait_long(clock, ended));
  io.poll();
  EXPECT_EQ(group.size(), 2U);
  group.cancel();
  test::run(io, group.join());
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(group.size(), 0U);
}

asio::awaitable<void> cancel_all(TaskGroup& group) {
  group.cancel();
  co_return;
}

// Asio 1.81 threw out of the loop here.
TEST(TaskGroup, a_task_that_cancels_its_own_group_before_it_ever_waited_ends_like_any_other) {
  asio::io_context io;
  TaskGroup group(io.get_executor(), Log());
  group.spawn("one", cancel_all(group));
  test::run(io, group.join());
  EXPECT_EQ(group.size(), 0U);
}

TEST(TaskGroup, a_failure_is_logged_with_the_tasks_name) {
  asio::io_context io;
  std::string line;
  Log log([&](LogLevel level, std::string_view event, std::span<const LogField> fields) {
    line = std::string(to_string(level)) + " " + std::string(event) + " " + fields[0].value() + " " +
           fields[1].value();
  });
  TaskGroup group(io.get_executor(), log);
  group.spawn("poller", fail());
  test::run(io, group.join());
  EXPECT_EQ(line, "error task_failed poller broken");
}

}  // namespace
}  // namespace tgkeep::loop
