// Handlers are lambdas with captures as users write them, and suspended while they are needed. To be run by
// g++ with ASan: it alone shows when a closure or a capture dies before its coroutine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <future>

#include "rooms/bot/bot_bench.hpp"

namespace tgkeep {
namespace {

using test::BotBench;

const std::string kLong = "a text that is too long to be kept inside of a std::string";

/// Gives way to others; resumed by the loop.
asio::awaitable<void> suspend() {
  co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

Handler make_handler() {
  const std::string first = kLong + " 1";
  auto shared = std::make_shared<std::string>(kLong + " 2");
  Bot bot("my_bot");
  bot.use([first, shared](BotContext update, Next next) -> asio::awaitable<void> {
    co_await suspend();
    update.reply(first);
    co_await next();
    co_await suspend();
    update.reply(*shared);
  });
  {
    Composer inner;
    inner.use([text = kLong + " 3"](BotContext update, Next next) -> asio::awaitable<void> {
      co_await suspend();
      co_await next();
      co_await suspend();
      update.reply(text);
    });
    inner.text("fail", [text = kLong + " 4"](BotContext) -> asio::awaitable<void> {
      co_await suspend();
      throw std::runtime_error(text);
    });
    bot.error_boundary(
        [text = kLong + " 5 "](BotError error, Next next) -> asio::awaitable<void> {
          co_await suspend();
          error.context.reply(text + error.text());
          co_await next();
          co_await suspend();
          error.context.reply(text);
        },
        inner);
  }
  bot.text("dead", [text = kLong + " 6"](BotContext) -> asio::awaitable<Outcome> {
    co_await suspend();
    co_return Outcome::dead("dead", text);
  });
  bot.text("throw", [text = kLong + " 7"](BotContext, Next) -> asio::awaitable<void> {
    co_await suspend();
    throw std::runtime_error(text);
  });
  bot.on_error([text = kLong + " 8 "](BotError error) -> asio::awaitable<Outcome> {
    co_await suspend();
    error.context.reply(text);
    co_return Outcome::retry(text + error.text());
  });
  return bot.handler();  // the bot, its composers and all these lambdas end here; only copies go on
}

TEST(Closures, M13_captures_live_as_long_as_the_handler_that_runs) {
  BotBench bench;
  for (const auto* text : {"hi", "fail", "dead", "throw"}) {
    auto turn = std::make_shared<test::BenchTurn>(test::delivery("message", test::message(text)), bench.api);
    // The handler itself is a temporary too: what runs holds what it needs.
    asio::awaitable<Outcome> work = make_handler()(Context(turn));
    const Outcome outcome = test::run(bench.io, std::move(work));
    EXPECT_THAT(turn->calls.at(0).params, testing::HasSubstr(kLong + " 1")) << text;
    if (text == std::string("fail")) {
      EXPECT_EQ(turn->calls.size(), 4U);
    }
    if (text == std::string("dead")) {
      EXPECT_EQ(outcome.error, kLong + " 6");
    }
    if (text == std::string("throw")) {
      EXPECT_EQ(outcome.error, kLong + " 8 " + kLong + " 7");
    }
  }
}

TEST(Closures, M13_arguments_may_be_taken_by_reference_and_live_as_long) {
  BotBench bench;
  Composer inner;
  inner.use([](const BotContext& update, const Next& next) -> asio::awaitable<void> {
    co_await suspend();
    co_await next();
    co_await suspend();
    update.reply(kLong);
  });
  inner.use([](const BotContext& update) -> asio::awaitable<Outcome> {
    co_await suspend();
    throw std::runtime_error(std::string(update.text()));
    co_return Outcome::done();
  });
  Bot bot;
  bot.error_boundary(
      [](const BotError& error, const Next& next) -> asio::awaitable<void> {
        co_await suspend();
        error.context.reply(error.text());
        co_await next();
        co_await suspend();
        error.rethrow();
      },
      inner);
  bot.on_error([](const BotError& error) -> asio::awaitable<Outcome> {
    co_await suspend();
    co_return Outcome::dead("dead", error.text());
  });
  const Outcome outcome = bench.message(bot, kLong);
  EXPECT_EQ(outcome.error, kLong);
  EXPECT_EQ(bench.turn->calls.size(), 1U);
}

TEST(Closures, M13_one_handler_runs_for_many_updates_on_many_threads) {
  asio::thread_pool pool(4);
  const Handler handler = make_handler();
  std::vector<std::shared_ptr<test::BenchTurn>> turns;
  std::vector<std::future<Outcome>> ends;
  for (int i = 0; i < 200; ++i) {
    const std::string text = i % 3 == 0 ? "hi" : i % 3 == 1 ? "fail" : "dead";
    auto turn = std::make_shared<test::BenchTurn>(test::delivery("message", test::message(text)),
                                                  std::string("true"));
    turns.push_back(turn);
    ends.push_back(asio::co_spawn(asio::make_strand(pool), handler(Context(turn)), asio::use_future));
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(ends[i].get().kind, i % 3 == 2 ? Outcome::Kind::dead : Outcome::Kind::done);
    EXPECT_EQ(turns[i]->calls.size(), i % 3 == 1 ? 4U : 3U);
  }
  pool.join();
}

}  // namespace
}  // namespace tgkeep
