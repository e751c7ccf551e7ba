#pragma once
// Deliveries to a C++ handler, on threads of their own: a handler that blocks or spins costs its thread, not
// the loop.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <memory>
#include <tgkeep/handler.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sink.hpp>

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
  asio::io_context::executor_type executor() const;
  /// What strands of the pool refer to: whoever may hold one for longer than the pool lives holds this too,
  /// and releases it after the strand. Never from inside the pool's own jobs: they belong to it.
  std::shared_ptr<asio::io_context> context() const;

 private:
  class Threads;
  std::unique_ptr<Threads> threads_;
};

/// Catches what the handler throws (a failed attempt). Cancellation is passed on to the handler's strand.
std::unique_ptr<Sink> make_handler_sink(const asio::any_io_executor& loop, HandlerPool& pool, Handler handler,
                                        Log log);

}  // namespace tgkeep::sink
