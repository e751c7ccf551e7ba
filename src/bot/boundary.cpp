#include "bot/boundary.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "words/exception_text.hpp"

namespace tgkeep {

std::string BotError::text() const {
  return words::text_of(error);
}

namespace bot {

namespace {

class Boundary {
 public:
  Boundary(std::string name, BoundaryHandler handler, Line inner)
      : name(std::move(name)), handler(std::move(handler)), inner(std::move(inner)) {}
  const std::string name;
  const BoundaryHandler handler;
  const Line inner;
};

/// What comes after the boundary runs when the inner line or the handler asks for it, but out of its reach.
asio::awaitable<void> run_within(std::shared_ptr<const Boundary> boundary, BotContext context, Next next) {
  auto end = std::make_shared<Mark>(boundary->name);
  std::exception_ptr failure;
  try {
    Next inner_end(end);
    co_await run_line(boundary->inner, 0, context, std::move(inner_end));
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) std::rethrow_exception(failure);
    end = std::make_shared<Mark>("the handler of " + boundary->name);
    BotError error(context, failure);
    Next resume(end);
    co_await boundary->handler(error, resume);
  }
  if (end->taken()) co_await next();
}

}  // namespace

Middleware make_boundary(std::string name, BoundaryHandler handler, Line inner) {
  auto boundary = std::make_shared<const Boundary>(std::move(name), std::move(handler), std::move(inner));
  return [boundary](BotContext context, Next next) {
    return run_within(boundary, std::move(context), std::move(next));
  };
}

}  // namespace bot
}  // namespace tgkeep
