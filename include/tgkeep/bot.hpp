#pragma once
// A small composer of handlers: middleware, commands, texts, kinds, error boundaries. Made for raw JSON.

#include <boost/asio/awaitable.hpp>
#include <boost/json/fwd.hpp>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/outcome.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgkeep {

class Composer;

namespace bot {
class Reading;
class Rest;
class Step;
}  // namespace bot

/// A Context with what a bot reads from its update. Copies share one update and one settlement.
class BotContext : public Context {
 public:
  /// For `Bot` and for tests of single middleware. Parses nothing yet.
  explicit BotContext(Context context);

  /// The whole update, parsed when first asked for.
  const boost::json::value& json() const;
  /// The object of the update's kind: `json().at(kind())`. An empty one when there is none.
  const boost::json::object& content() const;
  /// `text`, else `caption`, of a message of any kind; "" when there is none.
  std::string_view text() const;
  /// Of the message, of the message under a button, or the chat something happened in.
  std::optional<std::int64_t> chat_id() const;
  /// The user who did it.
  std::optional<std::int64_t> from_id() const;
  /// After `command`: what follows it, without blanks in front. Else "".
  std::string_view match() const;

  /// Leaves a sendMessage to this update's chat (business connection and topic too, if it has them) to the
  /// outbox. Throws Failure (misuse) for an update that has no chat to write to.
  void reply(std::string_view text) const;
  /// A direct call, for an answer needed now; `params` is a JSON object. Methods whose name begins with "get"
  /// are marked repeatable. `Context::api` has the rest.
  [[nodiscard("co_await it, or nothing is sent")]] asio::awaitable<ApiResult> call(
      std::string method, std::string params, Duration timeout = std::chrono::seconds(60)) const;
  /// How the update ends, instead of `done`; the last one counts. A throw counts more.
  void settle(Outcome outcome) const;

 private:
  friend class Bot;
  friend class Composer;
  std::shared_ptr<bot::Reading> reading_;
};

/// The rest of the line. To be called at most once, and awaited: a second call throws Failure (misuse) that
/// names the middleware.
class Next {
 public:
  explicit Next(std::shared_ptr<bot::Rest> rest) : rest_(std::move(rest)) {}
  /// Runs the rest; returns when it has ended.
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
  std::exception_ptr error;  ///< what was thrown
  /// What it says, for logs.
  std::string text() const;
  /// Throws it again.
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
  /// Of (BotContext, Next).
  template <bot::GoesOn Function>
  Middleware(Function function)  // NOLINT(google-explicit-constructor): handlers are written as functions
      : run_(bot::checked(std::move(function))) {}
  /// Of (BotContext).
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
  /// Of (BotError, Next).
  template <bot::MendsAndGoesOn Function>
  BoundaryHandler(Function function)  // NOLINT(google-explicit-constructor)
      : run_(bot::checked(std::move(function))) {}
  /// Of (BotError).
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

/// A line of middleware, run from the first to the last. A value: a copy, and what it is put into, does not
/// see later registrations. Register everything on one thread.
class Composer {
 public:
  /// For every update.
  Composer& use(Middleware middleware);
  /// For updates of this kind (`message`, `callback_query`, …). Throws Failure (misuse) for one that this
  /// version of the Bot API does not have.
  Composer& on(std::string_view kind, Middleware middleware);
  /// For each of these kinds.
  Composer& on(std::initializer_list<std::string_view> kinds, Middleware middleware);
  /// For messages and channel posts that begin with `/name` or, for this bot, `/name@username`; a `name` with
  /// @ matches only as it is written. Throws Failure (misuse) for a slash and what else no command has.
  Composer& command(std::string_view name, Middleware middleware);
  /// For each of these commands.
  Composer& command(std::initializer_list<std::string_view> names, Middleware middleware);
  /// For messages and channel posts whose text or caption is exactly this. Throws Failure (misuse) for "".
  Composer& text(std::string_view text, Middleware middleware);
  /// For each of these texts.
  Composer& text(std::initializer_list<std::string_view> texts, Middleware middleware);
  /// For updates of which `wanted` says true.
  Composer& filter(std::function<bool(const BotContext&)> wanted, Middleware middleware);
  /// What `inner` throws goes to `handler`; what comes after the boundary is not inside it. The cancellation
  /// of a handler (timeout, stop) is not caught.
  Composer& error_boundary(BoundaryHandler handler, Composer inner);

 private:
  friend class Bot;
  friend class Middleware;
  using Wanted = std::function<bool(const BotContext&)>;
  Composer& add(std::string trigger, Wanted wanted, Middleware middleware);

  std::vector<std::shared_ptr<const bot::Step>> line_;
};

/// Called with what nobody caught; its outcome settles the update. With `done`, what was left for the outbox
/// before the error counts too.
using BotErrorHandler = std::function<asio::awaitable<Outcome>(const BotError&)>;

/// The bot's own line, and what happens to errors that reach its end.
class Bot : public Composer {
 public:
  /// `username` with or without `@`, for commands that are addressed to one bot of a group. "": asked for by
  /// getMe when one first comes.
  explicit Bot(std::string username = {});
  /// Without one, and when it throws itself, the attempt has failed and the update comes again. The
  /// cancellation of a handler (timeout, stop) never gets here.
  Bot& on_error(BotErrorHandler handler);
  /// For Gateway and `run`. Later registrations are not in it. An update that nothing handles is done.
  Handler handler() const;

 private:
  std::string username_;
  BotErrorHandler on_error_;
};

static_assert(!std::is_aggregate_v<BotContext> && !std::is_aggregate_v<Next> &&
              !std::is_aggregate_v<BotError> && !std::is_aggregate_v<Middleware> &&
              !std::is_aggregate_v<BoundaryHandler>);

}  // namespace tgkeep
