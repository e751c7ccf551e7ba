#include "sink/pool_watch.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <latch>

#include "loop/task_group.hpp"
#include "loop/virtual_clock.hpp"
#include "support/run.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;

TEST(PoolWatch, P6_handlers_that_block_every_thread_are_reported_once_and_so_is_their_end) {
  asio::io_context io;
  loop::VirtualClock clock;
  std::vector<std::string> lines;
  const Log log(
      [&](LogLevel, std::string_view event, std::span<const LogField>) { lines.emplace_back(event); });
  std::latch release(1);
  std::latch blocked(1);
  HandlerPool pool(1);
  asio::post(pool.executor(), [&] {
    blocked.count_down();
    release.wait();
  });
  blocked.wait();

  loop::TaskGroup group(io.get_executor(), Log());
  group.spawn("watch", watch_pool(clock, pool, log));
  loop::run_for(io, clock, 9s);
  EXPECT_TRUE(lines.empty());
  loop::run_for(io, clock, 1h);
  EXPECT_EQ(lines, std::vector<std::string>{"handlers_block_every_thread"});
  release.count_down();
  const auto work = asio::make_work_guard(io);
  while (lines.size() < 2) io.run_one();
  EXPECT_EQ(lines.back(), "handler_threads_free_again");
  asio::post(io, [&] { group.cancel(); });
  test::run(io, group.join());
}

}  // namespace
}  // namespace tgkeep::sink
