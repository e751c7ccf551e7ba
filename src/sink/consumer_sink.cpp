// Sinks for consumers: what returns is done.

#include <memory>
#include <tgkeep/handler_sink.hpp>
#include <utility>

namespace tgkeep::sink {

namespace {

/// Calls and state that the consumer left belong to the outcome, as with a handler.
class LoopSink final : public Sink {
 public:
  explicit LoopSink(UpdateConsumer consumer) : consumer_(std::move(consumer)) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    const auto turn = std::make_shared<Turn>(std::move(delivery));
    const Context context(turn);
    co_await consumer_(context);
    Outcome outcome = Outcome::done();
    outcome.calls = std::move(turn->calls);
    outcome.state = std::move(turn->state);
    co_return outcome;
  }

 private:
  const UpdateConsumer consumer_;
};

}  // namespace

std::unique_ptr<Sink> make_consumer_sink(const asio::any_io_executor& loop, HandlerPool& pool,
                                         UpdateConsumer consumer) {
  Handler handler = [consumer = std::move(consumer)](const Context& context) -> asio::awaitable<Outcome> {
    co_await consumer(context);
    co_return Outcome::done();
  };
  return make_handler_sink(loop, pool, std::move(handler), HandlerServices());
}

std::unique_ptr<Sink> make_loop_sink(UpdateConsumer consumer) {
  return std::make_unique<LoopSink>(std::move(consumer));
}

}  // namespace tgkeep::sink
