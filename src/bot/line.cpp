#include "bot/line.hpp"

namespace tgkeep {

asio::awaitable<void> Next::operator()() const {
  return rest_->take();
}

namespace bot {

void refuse_empty_function() {
  throw Failure(Error(Errc::misuse, "a handler is an empty function"));
}

asio::awaitable<void> nothing_more() {
  co_return;
}

asio::awaitable<void> run_and_settle(BotContext context, asio::awaitable<Outcome> handler) {
  Outcome outcome = co_await std::move(handler);
  context.settle(std::move(outcome));
}

asio::awaitable<void> Rest::take() {
  if (taken_) {
    throw Failure(
        Error(Errc::misuse, owner() + " called next() a second time: the rest of the line runs once"));
  }
  taken_ = true;
  return go();
}

namespace {

/// The steps behind one step.
class LineRest final : public Rest {
 public:
  LineRest(Line line, std::size_t step, BotContext context, Next after)
      : line_(std::move(line)), step_(step), context_(std::move(context)), after_(std::move(after)) {}

 private:
  asio::awaitable<void> go() override { return run_line(line_, step_ + 1, context_, after_); }
  std::string owner() const override { return "middleware " + (*line_)[step_]->name; }

  Line line_;
  std::size_t step_;
  BotContext context_;
  Next after_;
};

/// This frame keeps what the middleware's own may refer to: its closure, and both arguments.
asio::awaitable<void> run_step(Line line, std::size_t step, BotContext context, Next next) {
  co_await (*line)[step]->middleware(context, next);
}

}  // namespace

// No coroutine of its own: steps that are not wanted cost no frame.
asio::awaitable<void> run_line(Line line, std::size_t from, BotContext context, Next after) {
  for (std::size_t i = from; i < line->size(); ++i) {
    const Step& step = *(*line)[i];
    if (step.wanted && !step.wanted(context)) continue;
    Next next(std::make_shared<LineRest>(line, i, context, std::move(after)));
    return run_step(std::move(line), i, std::move(context), std::move(next));
  }
  return after();
}

}  // namespace bot
}  // namespace tgkeep
