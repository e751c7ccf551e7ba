#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <tgkeep/handler_sink.hpp>
#include <utility>

#include "sink/handler_run.hpp"
#include "sink/handoff.hpp"

namespace tgkeep::sink {

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

/// On the loop: the handler has ended.
class End {
 public:
  /// Made on a thread of the pool.
  explicit End(std::shared_ptr<HandlerRun> run) : pool_(run->pool.lock()), run_(std::move(run)) {}
  void operator()() {
    run_->has_ended = true;
    run_->wake.cancel();
  }

 private:
  PoolContext pool_;
  std::shared_ptr<HandlerRun> run_;
};
using Ends = Handoff<asio::any_io_executor, End>;

asio::awaitable<Outcome> call(std::shared_ptr<HandlerRun> run) {
  // Held by this frame: a handler that is itself a lambda must outlive the coroutine it made.
  Context context(run);
  Outcome outcome = co_await (*run->handler)(context);
  co_return outcome;
}

/// On a thread of the pool: the handler begins.
class Start {
 public:
  Start(std::shared_ptr<HandlerRun> run, std::shared_ptr<Ends> ends)
      : run_(std::move(run)), ends_(std::move(ends)) {}
  void operator()() {
    auto on_end = [run = run_, ends = std::move(ends_)](const std::exception_ptr& failure, Outcome outcome) {
      run->finish(failure, std::move(outcome));
      ends->add(End(run));
    };
    // Spawned from the strand itself: binding the slot touches the signal, which is the strand's alone.
    asio::dispatch(run_->strand, [run = run_, on_end = std::move(on_end)]() mutable {
      if (!run->move_to(HandlerRun::State::started)) return;
      asio::co_spawn(run->strand, call(run),
                     asio::bind_cancellation_slot(run->cancel.slot(), std::move(on_end)));
    });
  }

 private:
  std::shared_ptr<HandlerRun> run_;
  std::shared_ptr<Ends> ends_;
};
using Starts = Handoff<PoolExecutor, Start>;

class HandlerSink final : public Sink {
 public:
  HandlerSink(asio::any_io_executor loop, PoolContext pool, Handler handler, HandlerServices services)
      : loop_(std::move(loop)),
        pool_(std::move(pool)),
        handler_(std::make_shared<const Handler>(std::move(handler))),
        services_(services),
        starts_(std::make_shared<Starts>(pool_->get_executor())),
        ends_(std::make_shared<Ends>(loop_)) {}

  // The first cancellation is passed on to the handler, the second gives up waiting for it. Nothing here
  // refers to the sink after the start: a handler that never returns leaves only its own run behind. What it
  // lets the loop do is over when this returns: API and store may then go.
  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    co_await asio::this_coro::throw_if_cancelled(false);
    const PoolContext pool = pool_;
    auto run = std::make_shared<HandlerRun>(loop_, pool_, handler_, services_, std::move(delivery));
    starts_->add(Start(run, ends_));
    bool told = false;
    while (!run->has_ended) {
      co_await run->wake.async_wait(kTuple);
      if (run->has_ended || told) break;
      if (run->move_to(HandlerRun::State::given_up)) {
        // No thread was free all the time: not the handler's fault.
        co_return Outcome::postpone(Duration::zero(), "no handler thread was free");
      }
      told = true;
      asio::post(run->strand, [run] { run->cancel.emit(asio::cancellation_type::terminal); });
      // Also when no thread is free to tell the handler.
      run->errands.cancel();
    }
    run->errands.close();
    while (!run->errands.idle()) {
      const auto state = co_await asio::this_coro::cancellation_state;
      if (state.cancelled() != asio::cancellation_type::none) run->errands.cancel();
      if (run->errands.idle()) break;
      co_await run->wake.async_wait(kTuple);
    }
    if (!run->has_ended) {
      throw boost::system::system_error(asio::error::operation_aborted, "the handler did not end");
    }
    if (run->failure) std::rethrow_exception(run->failure);
    co_return std::move(run->outcome);
  }

 private:
  asio::any_io_executor loop_;
  PoolContext pool_;
  std::shared_ptr<const Handler> handler_;
  HandlerServices services_;
  std::shared_ptr<Starts> starts_;
  std::shared_ptr<Ends> ends_;
};

}  // namespace

std::unique_ptr<Sink> make_handler_sink(const asio::any_io_executor& loop, HandlerPool& pool, Handler handler,
                                        HandlerServices services) {
  if (services.api != nullptr && services.clock == nullptr) {
    throw Failure(
        Error(Errc::misuse, "HandlerServices has an api but no clock: transformers wait by it; set both"));
  }
  return std::make_unique<HandlerSink>(loop, pool.context(), std::move(handler), services);
}

}  // namespace tgkeep::sink
