#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <latch>
#include <map>
#include <mutex>
#include <set>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/memory_store.hpp>
#include <thread>

#include "loop/real_clock.hpp"
#include "rooms/runner/runner_bench.hpp"
#include "support/run.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const Delivery> delivery(std::int64_t id) {
  Item item;
  item.update_id = UpdateId(id);
  item.kind = "message";
  item.body = "{}";
  return std::make_shared<const Delivery>(std::move(item), false);
}

asio::awaitable<Outcome> answer(Context context) {
  Outcome outcome = Outcome::done();
  outcome.calls.emplace_back("sendMessage", std::string(context.raw()));
  co_return outcome;
}

asio::awaitable<Outcome> fail(Context) {
  throw std::runtime_error("no luck");
  co_return Outcome::done();
}

asio::awaitable<Outcome> wait_for_ever(Context) {
  asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
  co_return Outcome::done();
}

TEST(HandlerSink, P4_returns_what_the_handler_returned_and_throws_what_it_threw) {
  asio::io_context io;
  HandlerPool pool(1);
  const auto sink = make_handler_sink(io.get_executor(), pool, answer);
  const Outcome outcome = test::run(io, sink->deliver(delivery(1)));
  EXPECT_EQ(outcome.kind, Outcome::Kind::done);
  EXPECT_EQ(outcome.calls.at(0).params, "{}");
  const auto failing = make_handler_sink(io.get_executor(), pool, fail);
  EXPECT_THROW(test::run(io, failing->deliver(delivery(1))), std::runtime_error);
}

TEST(HandlerSink, handlers_run_on_the_pool_and_not_on_the_loop) {
  asio::io_context io;
  HandlerPool pool(2);
  std::thread::id ran_on;
  Handler handler = [&](Context) -> asio::awaitable<Outcome> {
    ran_on = std::this_thread::get_id();
    co_return Outcome::done();
  };
  const auto sink = make_handler_sink(io.get_executor(), pool, handler);
  test::run(io, sink->deliver(delivery(1)));
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST(HandlerSink, P6_the_first_cancellation_reaches_a_suspended_handler) {
  asio::io_context io;
  HandlerPool pool(1);
  std::latch waiting(1);
  Handler handler = [&](Context context) -> asio::awaitable<Outcome> {
    waiting.count_down();
    return wait_for_ever(std::move(context));
  };
  const auto sink = make_handler_sink(io.get_executor(), pool, handler);
  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  auto on_end = [&](std::exception_ptr error, Outcome) { failure = error; };
  asio::co_spawn(io, sink->deliver(delivery(1)), asio::bind_cancellation_slot(cancel.slot(), on_end));
  io.poll();
  waiting.wait();
  cancel.emit(asio::cancellation_type::terminal);
  while (!failure) io.run_one();
  EXPECT_THROW(std::rethrow_exception(failure), boost::system::system_error);
}

TEST(HandlerSink, P9_the_second_cancellation_gives_up_a_handler_that_spins) {
  asio::io_context io;
  std::atomic<bool> stop = false;
  std::latch spinning(1);
  HandlerPool pool(1);
  Handler handler = [&](Context) -> asio::awaitable<Outcome> {
    spinning.count_down();
    while (!stop) std::this_thread::yield();
    co_return Outcome::done();
  };
  const auto sink = make_handler_sink(io.get_executor(), pool, handler);
  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  auto on_end = [&](std::exception_ptr error, Outcome) { failure = error; };
  asio::co_spawn(io, sink->deliver(delivery(1)), asio::bind_cancellation_slot(cancel.slot(), on_end));
  io.poll();
  spinning.wait();
  cancel.emit(asio::cancellation_type::terminal);
  io.poll();
  EXPECT_FALSE(failure) << "it still runs, so its chat stays closed";
  cancel.emit(asio::cancellation_type::terminal);
  while (!failure) io.run_one();
  stop = true;
}

TEST(HandlerSink,
     P6_a_delivery_that_found_no_free_thread_in_its_time_is_postponed_and_its_handler_never_runs) {
  asio::io_context io;
  HandlerPool pool(1);
  std::latch blocked(1);
  std::latch release(1);
  asio::post(pool.executor(), [&] {
    blocked.count_down();
    release.wait();
  });
  blocked.wait();
  std::atomic<bool> ran = false;
  Handler handler = [&](Context) -> asio::awaitable<Outcome> {
    ran = true;
    co_return Outcome::done();
  };
  const auto sink = make_handler_sink(io.get_executor(), pool, handler);
  asio::cancellation_signal cancel;
  std::optional<Outcome> outcome;
  auto on_end = [&](std::exception_ptr, Outcome value) { outcome = value; };
  asio::co_spawn(io, sink->deliver(delivery(1)), asio::bind_cancellation_slot(cancel.slot(), on_end));
  io.poll();
  asio::post(io, [&] { cancel.emit(asio::cancellation_type::terminal); });
  io.restart();
  while (!outcome) io.run_one();
  EXPECT_EQ(outcome->kind, Outcome::Kind::postpone);
  release.count_down();
  std::latch later(1);
  asio::post(pool.executor(), [&] { later.count_down(); });
  later.wait();
  EXPECT_FALSE(ran);
}

/// Notes what was handled; a chat can be told to spin until released.
class Chats {
 public:
  Handler handler() {
    return [this](Context context) -> asio::awaitable<Outcome> {
      const std::string key = context.item().keys.at(0);
      if (key == "chat:0") {
        spinning.count_down();
        while (!stop) std::this_thread::yield();
      }
      const std::scoped_lock lock(mutex);
      if (last[key] >= context.update_id()) in_order = false;
      last[key] = context.update_id();
      ++handled;
      co_return Outcome::done();
    };
  }
  std::atomic<bool> stop = false;
  std::atomic<int> handled = 0;
  std::latch spinning{1};
  std::mutex mutex;
  std::map<std::string, UpdateId> last;
  bool in_order = true;
};

// A handler that spins costs its thread; the loop, the other chats and stop go on.
TEST(HandlerSink, P6_P9_one_spinning_chat_of_1000_leaves_the_other_999_in_order_and_progress) {
  asio::io_context io;
  loop::RealClock clock(io.get_executor());
  const auto store = store::make_memory_store(io.get_executor(), clock);
  Chats chats;
  HandlerPool pool(4);
  const auto sink = make_handler_sink(io.get_executor(), pool, chats.handler());
  const auto runner =
      make_runner(io.get_executor(), clock, *store, Queue::inbox, *sink, RunnerOptions(), Log());
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= 3000; ++id) {
    updates.push_back(test::make_update(id, {std::to_string((id - 1) % 1000)}, clock.wall()));
  }
  test::run(io, store->put(std::move(updates)));
  runner->start();
  io.restart();
  while (runner->stats().done < 999 * 3) io.run_one();
  EXPECT_EQ(chats.handled, 999 * 3);
  EXPECT_TRUE(chats.in_order);
  EXPECT_EQ(runner->size(), 1U);
  const StopReport report = test::run(io, runner->stop(Duration::zero()));
  EXPECT_EQ(report.cut_off, 1U);
  chats.stop = true;
}

}  // namespace
}  // namespace tgkeep::sink
