#pragma once
// A small composer of handlers: middleware, commands, texts, kinds, error boundaries. Made for raw JSON.

#include <boost/asio/awaitable.hpp>
#include <boost/json/fwd.hpp>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/outcome.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep {

/// A Context with what a bot reads from its update. Copies share one update and one outcome.
class BotContext : public Context {
 public:
  class Reading;
  BotContext(Context context, std::shared_ptr<Reading> reading)
      : Context(std::move(context)), reading_(std::move(reading)) {}

  /// The whole update, parsed when first asked for.
  const boost::json::value& json() const;
  /// The object of the update's kind: `json().at(kind())`.
  const boost::json::object& content() const;
  /// `text`, else `caption`, of a message of any kind; "" when there is none.
  std::string_view text() const;
  /// Of the message, the message under a button, or the chat a member or reaction update belongs to.
  std::optional<std::int64_t> chat_id() const;
  /// Who did it.
  std::optional<std::int64_t> from_id() const;
  /// After `command`: what follows it, without blanks in front. Else "".
  std::string_view match() const;

  /// Leaves a sendMessage to this update's chat (business connection and topic too, if it has them) to the
  /// outbox. Throws Failure (misuse) for an update without a chat.
  void reply(std::string text) const;
  /// Says how the update ends, instead of `done`: the last one counts.
  void settle(Outcome outcome) const;

 private:
  friend class Bot;
  friend class Composer;
  std::shared_ptr<Reading> reading_;
};

/// The rest of the middleware. To be awaited at most once: a second time throws Failure (misuse) that names
/// the middleware.
class Next {
 public:
  using Function = std::function<asio::awaitable<void>()>;
  explicit Next(Function function) : function_(std::move(function)) {}
  asio::awaitable<void> operator()() const { return function_(); }

 private:
  Function function_;
};

/// Does its part, and lets the rest do theirs by `co_await next()`.
using Middleware = std::function<asio::awaitable<void>(BotContext, Next)>;

/// What went wrong, for error handlers.
class BotError {
 public:
  BotError(BotContext context, std::exception_ptr error)
      : context(std::move(context)), error(std::move(error)) {}
  BotContext context;  ///< update, attempt, direct calls
  std::exception_ptr error;
  std::string text() const;  ///< what it says
};

/// Called with what a boundary caught. `co_await next()` goes on behind the boundary as if nothing had
/// happened; a throw goes to the next boundary outwards.
using BoundaryHandler = std::function<asio::awaitable<void>(BotError, Next)>;

/// Called with what nobody caught; its outcome settles the update. Without one: a failed attempt.
using BotErrorHandler = std::function<asio::awaitable<Outcome>(BotError)>;

/// A line of middleware. Register everything before the bot starts; then it is read only, from any thread.
class Composer {
 public:
  Composer();
  Composer& use(Middleware middleware);
  /// For updates of this kind (`message`, `callback_query`, …). Throws Failure (misuse) for a kind that is no
  /// update field Telegram documents.
  Composer& on(std::string kind, Middleware middleware);
  Composer& on(std::vector<std::string> kinds, Middleware middleware);
  /// For messages that begin with `/name` or, for this bot, `/name@username`. A slash in `name` throws
  /// Failure (misuse).
  Composer& command(std::string name, Middleware middleware);
  /// For messages and posts whose text or caption is exactly this.
  Composer& text(std::string text, Middleware middleware);
  Composer& filter(std::function<bool(const BotContext&)> wanted, Middleware middleware);
  /// What `inner` throws goes to `handler`.
  Composer& error_boundary(BoundaryHandler handler, Composer inner);
  /// All of it as one middleware.
  Middleware middleware() const;

  /// The same for handlers that do not care for `next`: what comes after them is not run.
  template <class Function>
  requires std::invocable<Function, BotContext>
  static Middleware last(Function function);

 private:
  std::vector<Middleware> line_;
};

/// The bot's own line, and what happens to errors that reach its end.
class Bot : public Composer {
 public:
  /// `username` without @: for commands that are addressed to one bot of a group. "": asked for by getMe when
  /// first needed.
  explicit Bot(std::string username = {});
  Bot& on_error(BotErrorHandler handler);
  /// For Gateway and `run`. Later registrations are not in it. An update that nothing handles is done.
  Handler handler() const;

 private:
  std::string username_;
  BotErrorHandler on_error_;
};

static_assert(!std::is_aggregate_v<BotContext> && !std::is_aggregate_v<Next> &&
              !std::is_aggregate_v<BotError>);

}  // namespace tgkeep
