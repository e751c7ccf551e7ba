#include "sink/pool_watch.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>

#include "loop/event.hpp"

namespace tgkeep::sink {

namespace {

constexpr Duration kBetween = std::chrono::seconds(5);
constexpr Duration kPatience = std::chrono::seconds(10);

// Shared with the pool: a knock may be answered when nobody waits any more. Destroyed on the loop only.
std::shared_ptr<loop::Event> knock(const asio::any_io_executor& loop, const asio::any_io_executor& pool) {
  auto answered = std::make_shared<loop::Event>(loop);
  asio::post(pool, [loop, answered]() mutable {
    asio::post(loop, [answered = std::move(answered)] { answered->notify(); });
  });
  return answered;
}

}  // namespace

asio::awaitable<void> watch_pool(Clock& clock, HandlerPool& pool, Log log) {
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  for (;;) {
    const auto answered = knock(loop, pool.executor());
    const MonoTime until = clock.mono() + kPatience;
    const bool in_time = co_await answered->wait_until(clock, until);
    if (!in_time) {
      log.error(
          "handlers_block_every_thread",
          {{"remedy",
            "a handler must not block or compute for long on the pool's threads; raise handler_threads"}});
      co_await answered->wait();
      log.info("handler_threads_free_again");
    }
    co_await loop::sleep_for(clock, kBetween);
  }
}

}  // namespace tgkeep::sink
