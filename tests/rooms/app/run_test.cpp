// The handle of a running bot, on a real SQLite file and the emulated Bot API.

#include <gmock/gmock.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <string>
#include <tgkeep/run.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "rooms/app/many_threads.hpp"
#include "rooms/app/tally.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

/// Takes a moment, so that a stop finds some of them running.
asio::awaitable<Outcome> work(test::Tally* tally, Context context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer moment(executor, 2ms);
  co_await moment.async_wait(asio::use_awaitable);
  tally->add(context.update_id());
  co_return Outcome::done();
}

class RunTest : public testing::Test {
 protected:
  GatewayOptions options() {
    GatewayOptions options{std::string(test::kBotToken)};
    options.api_root = telegram_.root();
    options.folder = folder_.file("store");
    options.log = Log();
    return options;
  }
  Handler counting() {
    return [this](Context context) { return work(&tally_, std::move(context)); };
  }

  test::Tally tally_;
  test::TelegramThread telegram_;
  test::TemporaryFolder folder_;
};

TEST_F(RunTest, M8_a_hundred_restarts_under_load_lose_nothing_and_handle_nothing_twice) {
  constexpr int kRestarts = 100;
  constexpr int kUpdates = 10;
  RunnerHandle handle = run(options(), counting());
  int sent = 0;
  for (int round = 0; round < kRestarts; ++round) {
    for (int i = 0; i < kUpdates; ++i) telegram_.send(1 + i % 7, "text");
    sent += kUpdates;
    // Wherever it is: opening, polling, storing, handling.
    if (round % 3 != 0) tally_.wait_for(static_cast<std::size_t>(sent - kUpdates / 2));
    EXPECT_EQ(handle.stop().cut_off, 0U);
    EXPECT_FALSE(handle.is_running());
    EXPECT_EQ(handle.wait(), ExitCode::stopped);
    handle.start();
    EXPECT_TRUE(handle.is_running());
  }
  tally_.wait_for(static_cast<std::size_t>(sent));
  handle.stop();
  EXPECT_THAT(tally_.times(), SizeIs(sent));
  EXPECT_THAT(tally_.times(), Each(1));
  EXPECT_FALSE(handle.failure());
}

TEST_F(RunTest, M8_starting_twice_is_starting_once_and_a_stop_before_the_bot_is_up_ends_it) {
  RunnerHandle handle = run(options(), counting());
  handle.start();
  handle.start();
  EXPECT_EQ(handle.stop(0s).cut_off, 0U);
  EXPECT_EQ(handle.stop(0s).cut_off, 0U);
  EXPECT_EQ(handle.wait(), ExitCode::stopped);
  EXPECT_THAT(handle.snapshot(), SizeIs(0));
}

TEST_F(RunTest, M8_any_thread_may_stop_wait_and_look_at_the_same_time) {
  RunnerHandle handle = run(options(), counting());
  for (int i = 0; i < 50; ++i) telegram_.send(1 + i, "text");
  test::start_while_others_stop_wait_and_look(handle, 20);
  handle.start();
  tally_.wait_for(50);
  handle.stop();
  EXPECT_THAT(tally_.times(), Each(1));
}

asio::awaitable<Outcome> block(std::promise<void>* began, std::shared_future<void> go_on, Context) {
  began->set_value();
  go_on.wait();
  co_return Outcome::done();
}

TEST_F(RunTest, M8_the_snapshot_shows_what_is_being_handled_and_the_stats_count_it) {
  std::promise<void> began;
  std::promise<void> release;
  const std::shared_future<void> go_on = release.get_future().share();
  RunnerHandle handle = run(options(), [&](Context context) { return block(&began, go_on, context); });
  telegram_.send(7, "text");
  began.get_future().wait();
  EXPECT_EQ(handle.size(), 1U);
  const std::vector<InFlight> running = handle.snapshot();
  ASSERT_THAT(running, SizeIs(1));
  EXPECT_EQ(running[0].key, "chat:7");
  EXPECT_EQ(running[0].kind, "message");
  release.set_value();
  handle.stop();
  EXPECT_EQ(handle.stats().done, 1);
  EXPECT_EQ(handle.size(), 0U);
}

asio::awaitable<Outcome> wait_for_ever(std::promise<void>* began, Context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer never(executor, asio::steady_timer::time_point::max());
  began->set_value();
  co_await never.async_wait(asio::use_awaitable);
  co_return Outcome::done();
}

asio::awaitable<Outcome> tell_text(std::promise<std::string>* told, const Context& context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer turn(executor, 1ms);
  co_await turn.async_wait(asio::use_awaitable);
  told->set_value(std::string(context.kind()));
  co_return Outcome::done();
}

TEST_F(RunTest, a_handler_may_take_its_context_by_reference) {
  std::promise<std::string> told;
  RunnerHandle handle = run(options(), [&](const Context& context) { return tell_text(&told, context); });
  telegram_.send(7, "text");
  EXPECT_EQ(told.get_future().get(), "message");
}

asio::awaitable<Outcome> sleep_on(const Context&) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer never(executor, asio::steady_timer::time_point::max());
  co_await never.async_wait(asio::use_awaitable);
  co_return Outcome::done();
}

TEST_F(RunTest, M5_callbacks_on_the_loop_may_look_at_the_snapshot) {
  std::promise<RunnerHandle*> given;
  const std::shared_future<RunnerHandle*> handle_of = given.get_future().share();
  std::promise<std::size_t> seen;
  GatewayOptions with_callback = options();
  with_callback.inbox.timeout = 1ms;
  with_callback.inbox.on_timeout = [&, told = false](const InFlight&) mutable {
    if (!std::exchange(told, true)) seen.set_value(handle_of.get()->snapshot().size());
  };
  RunnerHandle handle = run(std::move(with_callback), sleep_on);
  given.set_value(&handle);
  telegram_.send(7, "text");
  EXPECT_EQ(seen.get_future().get(), 1U);
}

asio::awaitable<Outcome> end_soon(std::promise<void>* began, std::shared_future<void> may_end) {
  began->set_value();
  may_end.wait();
  co_return Outcome::done();
}

TEST_F(RunTest, P9_a_drain_of_for_ever_waits_for_what_runs) {
  std::promise<void> began;
  std::promise<void> end;
  std::shared_future<void> may_end = end.get_future().share();
  RunnerHandle handle = run(options(), [&, may_end](const Context&) { return end_soon(&began, may_end); });
  telegram_.send(7, "text");
  began.get_future().wait();
  std::thread later([&] { end.set_value(); });
  EXPECT_EQ(handle.stop(Duration::max()).cut_off, 0U);
  later.join();
}

TEST_F(RunTest, P9_what_outlives_the_drain_is_cut_off_and_comes_again_after_the_next_start) {
  auto began = std::make_unique<std::promise<void>>();
  RunnerHandle handle = run(options(), [&](Context context) { return wait_for_ever(began.get(), context); });
  telegram_.send(7, "text");
  began->get_future().wait();
  EXPECT_EQ(handle.stop(1ms).cut_off, 1U);
  EXPECT_EQ(handle.wait(), ExitCode::cut_off);
  began = std::make_unique<std::promise<void>>();
  handle.start();
  began->get_future().wait();
  EXPECT_EQ(handle.stop(0s).cut_off, 1U);
}

TEST_F(RunTest, P9_of_several_stops_the_shortest_drain_counts) {
  std::promise<void> began;
  RunnerHandle handle = run(options(), [&](Context context) { return wait_for_ever(&began, context); });
  telegram_.send(7, "text");
  began.get_future().wait();
  handle.begin_stop(10min);
  std::future<StopReport> first = std::async(std::launch::async, [&] { return handle.stop(20min); });
  EXPECT_EQ(handle.stop(0s).cut_off, 1U);
  EXPECT_EQ(first.get().cut_off, 1U);
}

TEST_F(RunTest, a_handle_that_goes_out_of_scope_stops_its_bot) {
  std::promise<void> began;
  {
    const RunnerHandle handle =
        run(options(), [&](Context context) { return wait_for_ever(&began, context); });
    telegram_.send(7, "text");
    began.get_future().wait();
  }
  RunnerHandle next = run(options(), counting());
  tally_.wait_for(1);
}

asio::awaitable<Outcome> stop_me(RunnerHandle* handle, Context) {
  handle->begin_stop();
  co_return Outcome::done();
}

TEST_F(RunTest, a_handler_may_begin_the_stop) {
  std::promise<RunnerHandle*> address;
  const std::shared_future<RunnerHandle*> known = address.get_future().share();
  RunnerHandle handle = run(options(), [known](Context context) { return stop_me(known.get(), context); });
  address.set_value(&handle);
  telegram_.send(7, "stop");
  EXPECT_EQ(handle.wait(), ExitCode::stopped);
  EXPECT_EQ(handle.stats().done, 1);
}

TEST_F(RunTest, what_keeps_a_bot_from_starting_is_its_failure_and_no_exception) {
  GatewayOptions wrong = options();
  wrong.token = "nonsense";
  RunnerHandle handle = run(wrong, counting());
  EXPECT_EQ(handle.wait(), ExitCode::failed);
  ASSERT_TRUE(handle.failure());
  EXPECT_EQ(handle.failure()->code(), Errc::bad_config);
  RunnerHandle first = run(options(), counting());
  telegram_.send(7, "text");
  tally_.wait_for(1);
  RunnerHandle second = run(options(), counting());
  EXPECT_EQ(second.wait(), ExitCode::failed);
  EXPECT_EQ(second.failure()->code(), Errc::store_locked);
  first.stop();
  second.start();
  telegram_.send(7, "text");
  tally_.wait_for(2);
  EXPECT_FALSE(second.failure());
}

TEST_F(RunTest, a_handle_moves) {
  RunnerHandle first = run(options(), counting());
  RunnerHandle second = std::move(first);
  second = run(options(), counting());
  second.stop();
}

}  // namespace
}  // namespace tgkeep
