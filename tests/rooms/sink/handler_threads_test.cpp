// Eight threads share the handlers of one bot (M21). The same with processes: tests/e2e/prefork_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <latch>
#include <map>
#include <mutex>
#include <set>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/memory_store.hpp>
#include <thread>
#include <vector>

#include "loop/real_clock.hpp"
#include "rooms/runner/runner_bench.hpp"
#include "support/run.hpp"

namespace tgkeep::sink {
namespace {

constexpr int kThreads = 8;
constexpr std::int64_t kChats = 40;
constexpr std::int64_t kUpdates = 4000;

/// Handles an update in two steps, between which the thread serves others.
class Chats {
 public:
  asio::awaitable<Outcome> handle(Context context) {
    const std::string key = context.item().keys.at(0);
    // Nobody goes on before all threads have come, so that all take part.
    if (met_.fetch_add(1) < kThreads) everybody_.arrive_and_wait();
    begin(key, context.update_id());
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);
    end(key);
    co_return Outcome::done();
  }

  std::set<std::thread::id> threads;
  std::map<std::string, std::vector<UpdateId>> begun;
  bool overlapped = false;

 private:
  void begin(const std::string& key, UpdateId id) {
    const std::scoped_lock lock(mutex_);
    threads.insert(std::this_thread::get_id());
    begun[key].push_back(id);
    if (!open_.insert(key).second) overlapped = true;
  }
  void end(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    open_.erase(key);
  }

  std::atomic<int> met_ = 0;
  std::latch everybody_{kThreads};
  std::mutex mutex_;
  std::set<std::string> open_;
};

TEST(HandlerThreads, M21_P5_eight_threads_keep_the_order_of_every_chat) {
  asio::io_context io;
  loop::RealClock clock(io.get_executor());
  const auto store = store::make_memory_store(io.get_executor(), clock);
  Chats chats;
  HandlerPool pool(kThreads);
  const auto sink =
      make_handler_sink(io.get_executor(), pool, [&chats](Context context) { return chats.handle(context); });
  const auto runner =
      make_runner(io.get_executor(), clock, *store, Queue::inbox, *sink, RunnerOptions(), Log());
  std::vector<Update> updates;
  for (std::int64_t id = 1; id <= kUpdates; ++id) {
    updates.push_back(test::make_update(id, {std::to_string(id % kChats)}, clock.wall()));
  }
  test::run(io, store->put(std::move(updates)));
  runner->start();
  io.restart();
  while (runner->stats().done < kUpdates) io.run_one();
  test::run(io, runner->stop(Duration::zero()));

  EXPECT_EQ(chats.threads.size(), static_cast<std::size_t>(kThreads));
  EXPECT_FALSE(chats.overlapped);
  ASSERT_EQ(chats.begun.size(), static_cast<std::size_t>(kChats));
  for (const auto& [key, ids] : chats.begun) {
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(kUpdates / kChats)) << key;
    EXPECT_TRUE(std::ranges::is_sorted(ids)) << key;
  }
}

}  // namespace
}  // namespace tgkeep::sink
