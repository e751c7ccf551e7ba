// The handle of a pipeline without a store.

#include <gmock/gmock.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <set>
#include <string>
#include <tgkeep/poll_supplier.hpp>
#include <tgkeep/read_update.hpp>
#include <tgkeep/run.hpp>
#include <thread>
#include <vector>

#include "e2e/telegram_thread.hpp"
#include "rooms/app/many_threads.hpp"
#include "rooms/app/tally.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::SizeIs;

using Supply = std::optional<std::vector<Update>>;

Update text_of(std::int64_t id) {
  std::string raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"chat":{"id":)" +
                    std::to_string(id % 7) + "}}}";
  return read_update(BotId(1), WallTime{}, std::move(raw)).value();
}

/// Supplies updates 1 … `last`, then nothing, or that there will be none.
class Numbers {
 public:
  Numbers(std::int64_t last, bool ends) : last_(last), ends_(ends) {}
  asio::awaitable<Supply> supply(std::size_t limit) {
    Supply updates(std::in_place);
    while (next_ <= last_ && updates->size() < limit) updates->push_back(text_of(next_++));
    if (updates->empty() && ends_) co_return std::nullopt;
    if (!updates->empty()) co_return updates;
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    asio::steady_timer never(executor, asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
    co_return updates;
  }
  std::size_t supplied() const { return static_cast<std::size_t>(next_ - 1); }
  UpdateSupplier supplier() {
    return [this](std::size_t limit) { return supply(limit); };
  }

 private:
  std::int64_t next_ = 1;
  const std::int64_t last_;
  const bool ends_;
};

asio::awaitable<void> work(test::Tally* tally, Context context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer moment(executor, 2ms);
  co_await moment.async_wait(asio::use_awaitable);
  tally->add(context.update_id());
}

class RunDirectTest : public testing::Test {
 protected:
  UpdateConsumer counting() {
    return [this](Context context) { return work(&tally_, std::move(context)); };
  }
  static RunOptions quiet() {
    RunOptions options;
    options.log = Log();
    return options;
  }
  test::Tally tally_;
};

TEST_F(RunDirectTest, M1_supplier_and_consumer_are_all_it_takes_and_the_end_of_the_supply_ends_it) {
  Numbers numbers(1000, true);
  RunnerHandle handle = run(numbers.supplier(), counting(), quiet());
  EXPECT_EQ(handle.wait(), ExitCode::stopped);
  EXPECT_FALSE(handle.is_running());
  EXPECT_THAT(tally_.times(), SizeIs(1000));
  EXPECT_THAT(tally_.times(), Each(1));
  EXPECT_EQ(handle.stats().done, 1000);
}

TEST_F(RunDirectTest, consumers_that_never_block_may_run_on_the_loop) {
  Numbers numbers(1000, true);
  std::set<std::thread::id> threads;
  RunOptions options = quiet();
  options.on_loop = true;
  UpdateConsumer note = [&](Context context) -> asio::awaitable<void> {
    threads.insert(std::this_thread::get_id());
    tally_.add(context.update_id());
    co_return;
  };
  RunnerHandle handle = run(numbers.supplier(), note, options);
  EXPECT_EQ(handle.wait(), ExitCode::stopped);
  EXPECT_THAT(tally_.times(), SizeIs(1000));
  EXPECT_THAT(threads, SizeIs(1));
}

TEST_F(RunDirectTest, M8_a_hundred_restarts_under_load_lose_nothing_and_handle_nothing_twice) {
  constexpr int kRestarts = 100;
  constexpr int kUpdates = 10;
  test::TelegramThread telegram;
  ApiOptions api{std::string(test::kBotToken)};
  api.root = telegram.root();
  RunnerHandle handle = run(source::make_poll_supplier(api, Log()).value(), counting(), quiet());
  int sent = 0;
  for (int round = 0; round < kRestarts; ++round) {
    for (int i = 0; i < kUpdates; ++i) telegram.send(1 + i % 7, "text");
    sent += kUpdates;
    if (round % 3 != 0) tally_.wait_for(static_cast<std::size_t>(sent - kUpdates / 2));
    EXPECT_EQ(handle.stop().cut_off, 0U);
    EXPECT_FALSE(handle.is_running());
    handle.start();
    EXPECT_TRUE(handle.is_running());
  }
  tally_.wait_for(static_cast<std::size_t>(sent));
  handle.stop();
  EXPECT_THAT(tally_.times(), SizeIs(sent));
  EXPECT_THAT(tally_.times(), Each(1));
}

TEST_F(RunDirectTest, M8_what_waits_for_its_key_at_a_stop_is_reported_and_handled_after_the_next_start) {
  Numbers numbers(100, false);
  std::promise<void> began;
  std::promise<void> release;
  const std::shared_future<void> go_on = release.get_future().share();
  UpdateConsumer consumer = [&, go_on](Context context) -> asio::awaitable<void> {
    if (context.update_id() == UpdateId(1)) {
      began.set_value();
      go_on.wait();
    }
    tally_.add(context.update_id());
    co_return;
  };
  RunOptions options(DirectOptions::sequential());
  options.log = Log();
  RunnerHandle handle = run(numbers.supplier(), consumer, options);
  began.get_future().wait();
  EXPECT_EQ(handle.size(), 1U);
  handle.begin_stop();
  release.set_value();
  handle.wait();
  const StopReport report = handle.stop();
  EXPECT_EQ(report.cut_off, 0U);
  EXPECT_EQ(tally_.times().size() + report.waiting,
            static_cast<std::size_t>(handle.stats().done) + report.waiting);
  handle.start();
  tally_.wait_for(100);
  EXPECT_THAT(tally_.times(), Each(1));
}

TEST_F(RunDirectTest, M8_any_thread_may_stop_wait_and_look_at_the_same_time) {
  Numbers numbers(500, false);
  RunnerHandle handle = run(numbers.supplier(), counting(), quiet());
  test::start_while_others_stop_wait_and_look(handle, 100);
  handle.start();
  tally_.wait_for(500);
  EXPECT_THAT(tally_.times(), Each(1));
}

asio::awaitable<void> wait_for_ever(std::promise<void>* began, Context) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  asio::steady_timer never(executor, asio::steady_timer::time_point::max());
  began->set_value();
  co_await never.async_wait(asio::use_awaitable);
}

TEST_F(RunDirectTest, P9_of_several_stops_the_shortest_drain_counts) {
  Numbers numbers(1, false);
  std::promise<void> began;
  RunnerHandle handle = run(
      numbers.supplier(), [&](Context context) { return wait_for_ever(&began, context); }, quiet());
  began.get_future().wait();
  handle.begin_stop(10min);
  EXPECT_EQ(handle.stop(0s).cut_off, 1U);
  EXPECT_EQ(handle.wait(), ExitCode::cut_off);
}

TEST_F(RunDirectTest, an_empty_supplier_or_consumer_is_a_named_failure) {
  RunnerHandle handle = run(UpdateSupplier(), counting(), quiet());
  EXPECT_EQ(handle.wait(), ExitCode::failed);
  EXPECT_EQ(handle.failure()->code(), Errc::misuse);
  EXPECT_FALSE(source::make_poll_supplier(ApiOptions("nonsense"), Log()));
}

}  // namespace
}  // namespace tgkeep
