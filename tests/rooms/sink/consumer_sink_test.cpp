// Consumers: what returns is done, what throws failed.

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <map>
#include <mutex>
#include <tgkeep/direct_runner.hpp>
#include <tgkeep/handler_sink.hpp>
#include <thread>

#include "loop/real_clock.hpp"
#include "rooms/runner/runner_bench.hpp"
#include "support/run.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const Delivery> delivery() {
  Item item;
  item.update_id = UpdateId(1);
  item.body = "{}";
  return std::make_shared<const Delivery>(std::move(item), false);
}

asio::awaitable<void> ignore(Context) {
  co_return;
}

asio::awaitable<void> fail(Context) {
  throw std::runtime_error("no luck");
  co_return;
}

asio::awaitable<void> leave_a_call(Context context) {
  context.leave("sendMessage", "{}");
  context.set_state("space", "key", "bytes");
  co_return;
}

asio::awaitable<void> wait_for_ever(Context) {
  const asio::any_io_executor here = co_await asio::this_coro::executor;
  asio::steady_timer timer(here, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
}

TEST(ConsumerSink, what_returns_is_done_and_what_throws_failed) {
  asio::io_context io;
  HandlerPool pool(1);
  for (const bool on_loop : {true, false}) {
    const auto make = [&](UpdateConsumer consumer) {
      return on_loop ? make_loop_sink(std::move(consumer))
                     : make_consumer_sink(io.get_executor(), pool, std::move(consumer));
    };
    const auto returning = make(ignore);
    EXPECT_EQ(test::run(io, returning->deliver(delivery())).kind, Outcome::Kind::done);
    const auto failing = make(fail);
    EXPECT_THROW(test::run(io, failing->deliver(delivery())), std::runtime_error);
  }
}

TEST(ConsumerSink, on_the_loop_calls_and_state_that_were_left_are_part_of_the_outcome) {
  asio::io_context io;
  const auto sink = make_loop_sink(leave_a_call);
  const Outcome outcome = test::run(io, sink->deliver(delivery()));
  ASSERT_EQ(outcome.calls.size(), 1U);
  EXPECT_EQ(outcome.calls[0].method, "sendMessage");
  EXPECT_EQ(outcome.state.size(), 1U);
}

TEST(ConsumerSink, M5_a_cancellation_ends_a_consumer_on_the_loop) {
  asio::io_context io;
  const auto sink = make_loop_sink(wait_for_ever);
  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  auto on_end = [&](std::exception_ptr error, Outcome) { failure = error; };
  asio::co_spawn(io, sink->deliver(delivery()), asio::bind_cancellation_slot(cancel.slot(), on_end));
  io.poll();
  EXPECT_FALSE(failure);
  cancel.emit(asio::cancellation_type::terminal);
  io.poll();
  EXPECT_THROW(std::rethrow_exception(failure), boost::system::system_error);
}

/// Notes what was handled and whether it was in the order of its chat.
class Chats {
 public:
  UpdateConsumer consumer() {
    return [this](Context context) -> asio::awaitable<void> {
      const std::scoped_lock lock(mutex_);
      UpdateId& last = last_[context.item().keys.at(0)];
      in_order = in_order && last < context.update_id();
      last = context.update_id();
      off_the_loop = off_the_loop && std::this_thread::get_id() != loop_;
      co_return;
    };
  }
  bool in_order = true;
  bool off_the_loop = true;

 private:
  std::mutex mutex_;
  std::map<std::string, UpdateId> last_;
  std::thread::id loop_ = std::this_thread::get_id();
};

TEST(ConsumerSink, M1_M6_a_pipeline_over_the_pool_keeps_the_order_of_each_chat) {
  asio::io_context io;
  loop::RealClock clock(io.get_executor());
  Chats chats;
  HandlerPool pool(4);
  const auto sink = make_consumer_sink(io.get_executor(), pool, chats.consumer());
  std::int64_t next = 0;
  UpdateSupplier supplier = [&](std::size_t limit) -> asio::awaitable<std::optional<std::vector<Update>>> {
    std::optional<std::vector<Update>> batch;
    if (next == 5000) co_return batch;
    batch.emplace();
    for (std::size_t i = 0; i < limit && next < 5000; ++i, ++next)
      batch->push_back(test::make_update(next + 1, {std::to_string(next % 37)}, clock.wall()));
    co_return batch;
  };
  const auto runner = make_direct_runner(io.get_executor(), clock, supplier, *sink, DirectOptions(), Log());
  runner->start();
  const auto ended = test::run(io, runner->wait());
  EXPECT_TRUE(ended);
  EXPECT_EQ(runner->stats().done, 5000);
  EXPECT_TRUE(chats.in_order);
  EXPECT_TRUE(chats.off_the_loop);
}

// A consumer that blocks costs its thread; a stop ends all the same, and the update is kept.
TEST(ConsumerSink, M8_a_stop_does_not_wait_for_a_consumer_that_spins) {
  asio::io_context io;
  loop::RealClock clock(io.get_executor());
  std::atomic<bool> spinning = false;
  std::atomic<bool> stop = false;
  HandlerPool pool(1);
  UpdateConsumer consumer = [&](Context) -> asio::awaitable<void> {
    spinning = true;
    while (!stop) std::this_thread::yield();
    co_return;
  };
  const auto sink = make_consumer_sink(io.get_executor(), pool, consumer);
  bool given = false;
  UpdateSupplier supplier = [&](std::size_t) -> asio::awaitable<std::optional<std::vector<Update>>> {
    std::optional<std::vector<Update>> batch(std::in_place);
    if (!std::exchange(given, true)) batch->push_back(test::make_update(1, {"a"}, clock.wall()));
    co_return batch;
  };
  const auto runner = make_direct_runner(io.get_executor(), clock, supplier, *sink, DirectOptions(), Log());
  runner->start();
  io.restart();
  while (!spinning) io.run_one_for(10ms);
  const StopReport report = test::run(io, runner->stop(Duration::zero()));
  EXPECT_EQ(report.cut_off, 1U);
  EXPECT_EQ(runner->size(), 0U);
  stop = true;
}

}  // namespace
}  // namespace tgkeep::sink
