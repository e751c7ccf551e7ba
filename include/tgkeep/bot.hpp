#pragma once
// A small composer of handlers: middleware, commands, texts, kinds, error boundaries. Made for raw JSON.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <tgkeep/bot_context.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/middleware.hpp>
#include <tgkeep/outcome.hpp>
#include <vector>

namespace tgkeep {

namespace bot {
class Step;
}

/// A line of middleware, run from the first to the last. A value: a copy, and what it is put into, does not
/// see later registrations. Register everything on one thread.
class Composer {
 public:
  /// For every update.
  Composer& use(Middleware middleware);
  /// For updates of this kind (`message`, `callback_query`, …). Throws Failure (misuse) for one that this
  /// version of the Bot API does not have.
  Composer& on(std::string_view kind, Middleware middleware);
  /// The same for several kinds.
  Composer& on(std::initializer_list<std::string_view> kinds, Middleware middleware);
  /// For messages and channel posts that begin with `/name` or, for this bot, `/name@username`; a `name` with
  /// @ matches only as it is written. Throws Failure (misuse) for a slash and what else no command has.
  Composer& command(std::string_view name, Middleware middleware);
  /// The same for several names.
  Composer& command(std::initializer_list<std::string_view> names, Middleware middleware);
  /// For messages and channel posts whose text or caption is exactly this. Throws Failure (misuse) for "".
  Composer& text(std::string_view text, Middleware middleware);
  /// The same for several texts.
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

/// Called with what nobody caught; its outcome settles the update. With `done`, the calls left for the outbox
/// and the state rows written before the error count too, as behind a boundary that goes on.
using BotErrorHandler = std::function<asio::awaitable<Outcome>(const BotError&)>;

/// The bot's own line, and what happens to errors that reach its end.
class Bot : public Composer {
 public:
  /// `username`, an @ before it is allowed: for commands that are addressed to one bot of a group. "": asked
  /// for by getMe when one first comes.
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

}  // namespace tgkeep
