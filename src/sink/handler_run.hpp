#pragma once
// One run of a handler, shared by the loop and the handler's strand.

#include <atomic>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <exception>
#include <memory>
#include <tgkeep/handler_sink.hpp>
#include <type_traits>
#include <vector>

#include "sink/errand.hpp"

namespace tgkeep::sink {

using PoolExecutor = asio::io_context::executor_type;
/// Keeps the pool's context, which strands refer to. Held by what lives on the loop, declared before any
/// HandlerRun.
using PoolContext = std::shared_ptr<asio::io_context>;

/// The handler may outlive the side that waits for it, and with it this.
class HandlerRun final : public Turn, public std::enable_shared_from_this<HandlerRun> {
 public:
  HandlerRun(const asio::any_io_executor& loop, const PoolContext& pool,
             std::shared_ptr<const Handler> handler, HandlerServices services,
             std::shared_ptr<const Delivery> delivery);

  Api& api() override;
  void use(ApiTransformer transformer) override;
  asio::awaitable<Result<std::optional<std::string>>> read_state(std::string space, std::string key) override;

  enum class State : std::uint8_t { waiting, started, given_up };
  /// Takes it from waiting to `next`; false when the other side was first.
  bool move_to(State next) {
    State expected = State::waiting;
    return state_.compare_exchange_strong(expected, next);
  }
  /// On the strand: the handler has ended.
  void finish(const std::exception_ptr& failure, Outcome outcome);

  const std::weak_ptr<asio::io_context> pool;  // weak: runs that never end belong to it
  const std::shared_ptr<const Handler> handler;
  const asio::strand<PoolExecutor> strand;
  asio::cancellation_signal cancel;  // the strand's
  asio::steady_timer wake;           // the loop's: the waiting side's
  bool has_ended = false;            // the loop's
  Errands errands;                   // the loop's
  std::exception_ptr failure;        // the strand's until `has_ended`, then the loop's
  Outcome outcome;

 private:
  /// The API as the handler sees it: calls are made on the loop.
  class Face final : public Api {
   public:
    explicit Face(HandlerRun& run) : run_(run) {}
    asio::awaitable<ApiResult> call(ApiRequest request) override;

   private:
    HandlerRun& run_;
  };
  std::shared_ptr<Errands> shared_errands() { return std::shared_ptr<Errands>(shared_from_this(), &errands); }

  const HandlerServices services_;
  std::atomic<State> state_ = State::waiting;
  Face face_;
  std::vector<ApiTransformer> transformers_;  // the strand's
};

}  // namespace tgkeep::sink
