#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <tgkeep/bot.hpp>

#include "bot/line.hpp"
#include "bot/own_name.hpp"
#include "bot/reading.hpp"

namespace tgkeep {

namespace {

/// A bot as it runs, shared by all its deliveries.
class Running {
 public:
  Running(bot::Line line, std::string own_name, BotErrorHandler on_error)
      : line(std::move(line)), own_name(std::move(own_name)), on_error(std::move(on_error)) {}
  const bot::Line line;
  bot::OwnName own_name;
  const BotErrorHandler on_error;
};

asio::awaitable<std::string> name_for(std::shared_ptr<Running> bot, BotContext context) {
  std::string name = bot->own_name.get();
  if (!name.empty() || !bot::names_a_bot(context)) co_return name;
  name = co_await bot::ask_own_name(context);
  bot->own_name.set(name);
  co_return name;
}

asio::awaitable<Outcome> handle(std::shared_ptr<Running> bot, BotContext context,
                                std::shared_ptr<bot::Reading> reading) {
  std::exception_ptr failure;
  try {
    reading->own_name = co_await name_for(bot, context);
    Next end(std::make_shared<bot::Mark>("the bot"));
    co_await bot::run_line(bot->line, 0, context, std::move(end));
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return reading->settlement.value_or(Outcome::done());
  const auto state = co_await asio::this_coro::cancellation_state;
  if (!bot->on_error || state.cancelled() != asio::cancellation_type::none) std::rethrow_exception(failure);
  BotError error(context, failure);
  Outcome outcome = co_await bot->on_error(error);
  co_return outcome;
}

}  // namespace

Bot::Bot(std::string username) : username_(std::move(username)) {
  if (username_.starts_with('@')) username_.erase(0, 1);
}

Bot& Bot::on_error(BotErrorHandler handler) {
  on_error_ = std::move(handler);
  return *this;
}

Handler Bot::handler() const {
  auto line = std::make_shared<const std::vector<std::shared_ptr<const bot::Step>>>(line_);
  auto running = std::make_shared<Running>(std::move(line), username_, on_error_);
  return [running](Context context) {
    const BotContext update(std::move(context));
    return handle(running, update, update.reading_);
  };
}

}  // namespace tgkeep
