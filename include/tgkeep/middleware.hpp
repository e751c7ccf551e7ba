#pragma once
// What a bot's line is made of: handlers, what they hand on to, and handlers of errors.

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <tgkeep/bot_context.hpp>
#include <tgkeep/outcome.hpp>
#include <type_traits>
#include <utility>

namespace tgkeep {

class Composer;

namespace bot {
class Rest;
}

/// The rest of the line. To be called at most once, and awaited: a second call throws Failure (misuse) that
/// names the middleware.
class Next {
 public:
  explicit Next(std::shared_ptr<bot::Rest> rest) : rest_(std::move(rest)) {}
  /// Runs it.
  [[nodiscard("co_await it, or the rest does not run")]] asio::awaitable<void> operator()() const;

 private:
  std::shared_ptr<bot::Rest> rest_;
};

/// What went wrong, for error handlers.
class BotError {
 public:
  BotError(BotContext context, std::exception_ptr error)
      : context(std::move(context)), error(std::move(error)) {}
  BotContext context;        ///< the update, its attempt, replies and direct calls
  std::exception_ptr error;  ///< as it was thrown
  /// What it says, for logs.
  std::string text() const;
  /// Throws it again, to branch on its type or to pass it on.
  [[noreturn]] void rethrow() const { std::rethrow_exception(error); }
};

namespace bot {

asio::awaitable<void> run_and_settle(BotContext context, asio::awaitable<Outcome> handler);
asio::awaitable<void> nothing_more();

/// What a handler may return.
template <class Result>
concept Ending = std::same_as<Result, void> || std::same_as<Result, Outcome> ||
    std::same_as<Result, asio::awaitable<void>> || std::same_as<Result, asio::awaitable<Outcome>>;

template <class Function>
concept Ends = std::invocable<Function&, const BotContext&> &&
    Ending<std::invoke_result_t<Function&, const BotContext&>>;
template <class Function>
concept GoesOn = std::invocable<Function&, const BotContext&, const Next&> &&
    std::same_as<std::invoke_result_t<Function&, const BotContext&, const Next&>, asio::awaitable<void>>;
template <class Function>
concept MendsAndEnds = std::invocable<Function&, const BotError&> &&
    std::same_as<std::invoke_result_t<Function&, const BotError&>, asio::awaitable<void>>;
template <class Function>
concept MendsAndGoesOn = std::invocable<Function&, const BotError&, const Next&> &&
    std::same_as<std::invoke_result_t<Function&, const BotError&, const Next&>, asio::awaitable<void>>;

/// Throws Failure (misuse).
[[noreturn]] void refuse_empty_function();

/// Refuses an empty std::function when it is registered, not when its first update comes.
template <class Function>
Function checked(Function function) {
  if constexpr (requires { function.target_type(); }) {
    if (!function) refuse_empty_function();
  }
  return function;
}

template <class Function>
asio::awaitable<void> run_last(Function& function, const BotContext& context) {
  using Result = std::invoke_result_t<Function&, const BotContext&>;
  if constexpr (std::same_as<Result, void>) {
    function(context);
    return nothing_more();
  } else if constexpr (std::same_as<Result, Outcome>) {
    context.settle(function(context));
    return nothing_more();
  } else if constexpr (std::same_as<Result, asio::awaitable<Outcome>>) {
    return run_and_settle(context, function(context));
  } else {
    return function(context);
  }
}

}  // namespace bot

/// One handler. Made from any function of
///   (BotContext, Next) that returns asio::awaitable<void>: does its part, and lets the rest do theirs by
///     `co_await next()`;
///   (BotContext) that returns void, Outcome, or an asio::awaitable of one of them: the line ends with it. An
///     Outcome settles the update.
/// It may be a lambda with captures, a coroutine too, and take its arguments by value or const reference: all
/// of them are kept for as long as it runs. It is called by several threads at once, for different updates.
class Middleware {
 public:
  /// A function of (BotContext, Next).
  template <bot::GoesOn Function>
  Middleware(Function function)  // NOLINT(google-explicit-constructor): handlers are written as functions
      : run_(bot::checked(std::move(function))) {}
  /// A function of (BotContext).
  template <bot::Ends Function>
  requires(!bot::GoesOn<Function>) Middleware(Function function)  // NOLINT(google-explicit-constructor)
      : run_([function = bot::checked(std::move(function))](const BotContext& context, const Next&) mutable {
          return bot::run_last(function, context);
        }) {}
  /// The composer's whole line as it is now.
  Middleware(const Composer& composer);  // NOLINT(google-explicit-constructor)

  /// All three must stay until it has ended: functions may take them by reference.
  asio::awaitable<void> operator()(const BotContext& context, const Next& next) const {
    return run_(context, next);
  }

 private:
  std::function<asio::awaitable<void>(const BotContext&, const Next&)> run_;
};

/// Gets what a boundary caught: a function of (BotError, Next) or (BotError) that returns
/// asio::awaitable<void>. `co_await next()` goes on behind the boundary as if nothing had happened; a throw
/// goes to the next boundary outwards, in the end to `Bot::on_error`.
class BoundaryHandler {
 public:
  /// A function of (BotError, Next).
  template <bot::MendsAndGoesOn Function>
  BoundaryHandler(Function function)  // NOLINT(google-explicit-constructor)
      : run_(bot::checked(std::move(function))) {}
  /// A function of (BotError).
  template <bot::MendsAndEnds Function>
  requires(!bot::MendsAndGoesOn<Function>)
      BoundaryHandler(Function function)  // NOLINT(google-explicit-constructor)
      : run_([function = bot::checked(std::move(function))](const BotError& error, const Next&) mutable {
          return function(error);
        }) {}

  /// As that of Middleware.
  asio::awaitable<void> operator()(const BotError& error, const Next& next) const {
    return run_(error, next);
  }

 private:
  std::function<asio::awaitable<void>(const BotError&, const Next&)> run_;
};

static_assert(!std::is_aggregate_v<Next> && !std::is_aggregate_v<BotError> &&
              !std::is_aggregate_v<Middleware> && !std::is_aggregate_v<BoundaryHandler>);

}  // namespace tgkeep
