#pragma once
// Deliveries to a C++ handler, on threads of their own: a handler that blocks or spins costs its thread, not
// the loop.

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <tgkeep/api.hpp>
#include <tgkeep/clock.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sink.hpp>
#include <tgkeep/store.hpp>
#include <tgkeep/supplier.hpp>

namespace boost::asio {
class io_context;
}

namespace tgkeep::sink {

/// The threads handlers run on. Each delivery gets a strand. Destroying it joins the threads: a handler that
/// never returns its thread blocks that (the program exits hard instead, P9).
class HandlerPool {
 public:
  /// 0 = max(4, 2 × cores).
  explicit HandlerPool(std::size_t threads = 0);
  /// No threads of its own: whoever runs `context` runs the handlers, as simulations on one thread do.
  explicit HandlerPool(std::shared_ptr<asio::io_context> context);
  ~HandlerPool();
  HandlerPool(const HandlerPool&) = delete;
  HandlerPool& operator=(const HandlerPool&) = delete;

  /// Of the threads; no strand yet.
  asio::any_io_executor executor() const;
  /// What strands of the pool refer to: whoever may hold one for longer than the pool lives holds this too,
  /// and releases it after the strand. Never from inside the pool's own jobs: they belong to it.
  std::shared_ptr<asio::io_context> context() const;

 private:
  class Threads;
  std::unique_ptr<Threads> threads_;
};

/// What a handler sink offers to handlers besides the update.
class HandlerServices {
 public:
  HandlerServices() = default;
  Clock* clock = nullptr;  ///< of the transformers; needed with `api`
  Api* api = nullptr;      ///< for direct calls; must outlive the sink. Null: `Context::api` throws
  Store* store = nullptr;  ///< for reading state; must outlive the sink. Null: `Context::state` throws
};

/// Catches what the handler throws (a failed attempt). Cancellation is passed on to the handler's strand.
/// `pool` must outlive the sink's last delivery.
std::unique_ptr<Sink> make_handler_sink(const asio::any_io_executor& loop, HandlerPool& pool, Handler handler,
                                        HandlerServices services = HandlerServices());

/// The same for a consumer: it returns nothing, so what returns is done.
std::unique_ptr<Sink> make_consumer_sink(const asio::any_io_executor& loop, HandlerPool& pool,
                                         UpdateConsumer consumer);
/// Runs the consumer on the loop itself: for consumers that never block.
std::unique_ptr<Sink> make_loop_sink(UpdateConsumer consumer);

static_assert(!std::is_aggregate_v<HandlerServices>);

}  // namespace tgkeep::sink
