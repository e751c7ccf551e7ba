#include "loop/event.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/system_error.hpp>

#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::loop {
namespace {

using std::chrono::seconds;

TEST(Event, a_notification_before_the_wait_is_remembered_once) {
  asio::io_context io;
  Event event(io.get_executor());
  event.notify();
  event.notify();
  test::run(io, event.wait());
  bool woken = false;
  asio::co_spawn(io, event.wait(), [&](std::exception_ptr) { woken = true; });
  io.poll();
  EXPECT_FALSE(woken);
  event.notify();
  io.restart();
  io.run();
  EXPECT_TRUE(woken);
}

TEST(Event, wait_until_says_whether_it_was_notified) {
  asio::io_context io;
  VirtualClock clock;
  Event event(io.get_executor());
  std::optional<bool> notified;
  asio::co_spawn(io, event.wait_until(clock, clock.mono() + seconds(5)),
                 [&](std::exception_ptr, bool value) { notified = value; });
  run_for(io, clock, seconds(4));
  EXPECT_FALSE(notified.has_value());
  run_for(io, clock, seconds(1));
  ASSERT_TRUE(notified.has_value());
  EXPECT_FALSE(*notified);
  EXPECT_EQ(clock.alarms(), 0U);

  notified.reset();
  asio::co_spawn(io, event.wait_until(clock, clock.mono() + seconds(5)),
                 [&](std::exception_ptr, bool value) { notified = value; });
  run_for(io, clock, seconds(1));
  event.notify();
  run_for(io, clock, seconds(0));
  ASSERT_TRUE(notified.has_value());
  EXPECT_TRUE(*notified);
}

TEST(Event, P9_a_cancelled_wait_throws_at_once) {
  asio::io_context io;
  VirtualClock clock;
  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  asio::co_spawn(
      io, sleep_for(clock, seconds(3600)),
      asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error) { failure = error; }));
  io.poll();
  cancel.emit(asio::cancellation_type::terminal);
  io.restart();
  io.run();
  ASSERT_TRUE(failure);
  EXPECT_THROW(std::rethrow_exception(failure), boost::system::system_error);
  EXPECT_EQ(clock.alarms(), 0U);
}

}  // namespace
}  // namespace tgkeep::loop
