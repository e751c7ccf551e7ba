#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "rooms/bot/bot_bench.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using test::BotBench;
using test::Journal;
using testing::ElementsAre;
using testing::HasSubstr;

void fail(BotContext update) {
  update.reply("before the error");
  throw std::runtime_error("no luck");
}

TEST(Bot, P4_a_throw_without_an_error_handler_is_a_failed_attempt) {
  BotBench bench;
  Bot bot;
  bot.use(fail);
  EXPECT_THROW(bench.message(bot, "hi"), std::runtime_error);
}

TEST(Bot, P4_a_throw_counts_more_than_a_settlement_before_it) {
  BotBench bench;
  Bot bot;
  bot.use([](BotContext update) {
    update.settle(Outcome::done());
    throw std::runtime_error("no luck");
  });
  EXPECT_THROW(bench.message(bot, "hi"), std::runtime_error);
}

TEST(Bot, the_error_handler_gets_update_error_and_attempt_and_decides) {
  BotBench bench;
  std::string seen;
  Bot bot;
  bot.use(fail);
  bot.on_error([&seen](BotError error) -> asio::awaitable<Outcome> {
    seen = error.text() + " in chat " + std::to_string(error.context.chat_id().value_or(0)) + ", attempt " +
           std::to_string(error.context.attempt());
    co_return Outcome::dead("hopeless", error.text());
  });
  const Outcome outcome = bench.message(bot, "hi");
  EXPECT_EQ(seen, "no luck in chat 7, attempt 1");
  EXPECT_EQ(outcome.kind, Outcome::Kind::dead);
  EXPECT_EQ(outcome.reason, "hopeless");
}

TEST(Bot, the_error_handler_gets_what_boundaries_pass_on_and_may_throw_itself) {
  BotBench bench;
  Composer inner;
  inner.use(fail);
  Bot bot;
  bot.error_boundary(
      [](BotError error) -> asio::awaitable<void> {
        throw std::logic_error("worse than " + error.text());
        co_return;
      },
      inner);
  bot.on_error([](BotError error) -> asio::awaitable<Outcome> {
    EXPECT_EQ(error.text(), "worse than no luck");
    error.rethrow();
    co_return Outcome::done();
  });
  EXPECT_THROW(bench.message(bot, "hi"), std::logic_error);
}

TEST(Bot, settle_says_how_it_ends_and_the_last_one_counts) {
  BotBench bench;
  Bot bot;
  bot.use([](BotContext update, Next next) -> asio::awaitable<void> {
    co_await next();
    update.settle(Outcome::retry_after(30s, "later"));
  });
  bot.use([](BotContext) { return Outcome::dead("bad", "words"); });
  const Outcome outcome = bench.message(bot, "hi");
  EXPECT_EQ(outcome.kind, Outcome::Kind::retry);
  EXPECT_EQ(outcome.after, 30s);
}

TEST(Bot, asks_for_its_own_name_when_a_command_names_a_bot_and_only_once) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.command("start", [&journal](BotContext update) { journal.emplace_back(update.text()); });
  const Handler handler = bot.handler();
  const auto handle = [&](const std::string& text) {
    bench.turn = std::make_shared<test::BenchTurn>(test::delivery("message", test::command(text)), bench.api);
    test::run(bench.io, handler(Context(bench.turn)));
    return bench.turn->direct.size();
  };
  bench.api = std::string(R"({"id":1,"username":"My_bot"})");
  EXPECT_EQ(handle("/start"), 0U);
  EXPECT_EQ(handle("/start@other_bot"), 1U);
  EXPECT_EQ(bench.turn->direct.at(0).method, "getMe");
  EXPECT_TRUE(bench.turn->direct.at(0).repeatable);
  EXPECT_EQ(handle("/start@my_bot"), 0U);
  EXPECT_THAT(journal, ElementsAre("/start", "/start@my_bot"));
}

TEST(Bot, a_failed_getMe_is_a_failed_attempt) {
  BotBench bench;
  Bot bot;
  bot.command("start", fail);
  bench.api = ApiError(ApiError::Kind::not_sent, "could not connect");
  EXPECT_THROW(bench.command(bot, "/start@my_bot"), ApiFailure);
  bench.api = std::string(R"({"id":1})");
  EXPECT_THROW(bench.command(bot, "/start@my_bot"), Failure);
}

TEST(Bot, its_name_may_be_given_with_its_at_sign) {
  BotBench bench;
  Bot bot("@my_bot");
  int calls = 0;
  bot.command("start", [&calls](BotContext) { ++calls; });
  bench.command(bot, "/start@my_bot");
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(bench.turn->direct.empty());
}

asio::awaitable<void> wait_for_ever(BotContext) {
  asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
}

TEST(Bot, P6_the_cancellation_of_a_handler_is_no_error_of_the_bot) {
  BotBench bench;
  int caught = 0;
  Composer inner;
  inner.use(wait_for_ever);
  Bot bot;
  bot.error_boundary(
      [&caught](BotError) -> asio::awaitable<void> {
        ++caught;
        co_return;
      },
      inner);
  bot.on_error([&caught](BotError) -> asio::awaitable<Outcome> {
    ++caught;
    co_return Outcome::done();
  });
  const Handler handler = bot.handler();
  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  auto on_end = [&failure](std::exception_ptr error, Outcome) { failure = error; };
  const Context context(test::delivery("message", test::message("hi")));
  asio::co_spawn(bench.io, handler(context), asio::bind_cancellation_slot(cancel.slot(), on_end));
  bench.io.poll();
  cancel.emit(asio::cancellation_type::terminal);
  bench.io.restart();
  bench.io.run();
  ASSERT_TRUE(failure);
  EXPECT_THROW(std::rethrow_exception(failure), boost::system::system_error);
  EXPECT_EQ(caught, 0);
}

TEST(Bot, an_update_that_is_no_json_reaches_the_error_handler) {
  BotBench bench;
  Bot bot;
  bot.text("hi", fail);
  bot.on_error(
      [](BotError error) -> asio::awaitable<Outcome> { co_return Outcome::dead("odd", error.text()); });
  EXPECT_EQ(bench.handle(bot, "message", "{").reason, "odd");
}

}  // namespace
}  // namespace tgkeep
