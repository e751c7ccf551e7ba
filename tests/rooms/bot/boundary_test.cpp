#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rooms/bot/bot_bench.hpp"

namespace tgkeep {
namespace {

using test::BotBench;
using test::Journal;
using test::misuse_of;
using testing::ElementsAre;

Middleware noting(Journal& journal, std::string name) {
  return [&journal, name](BotContext, Next next) -> asio::awaitable<void> {
    journal.push_back(name);
    co_await next();
  };
}

Middleware failing(std::string text) {
  return [text](BotContext) -> asio::awaitable<void> {
    throw std::runtime_error(text);
    co_return;
  };
}

BoundaryHandler stopping(Journal& journal, std::string name) {
  return [&journal, name](BotError error) -> asio::awaitable<void> {
    journal.push_back(name + " caught " + error.text());
    co_return;
  };
}

BoundaryHandler resuming(Journal& journal, std::string name) {
  return [&journal, name](BotError error, Next next) -> asio::awaitable<void> {
    journal.push_back(name + " caught " + error.text());
    co_await next();
  };
}

BoundaryHandler rethrowing(Journal& journal, std::string name) {
  return [&journal, name](BotError error, Next) -> asio::awaitable<void> {
    journal.push_back(name + " passed on " + error.text());
    error.rethrow();
    co_return;
  };
}

Composer line(Middleware first) {
  Composer composer;
  composer.use(std::move(first));
  return composer;
}

TEST(ErrorBoundary, M13_what_is_thrown_inside_goes_to_its_handler_and_is_then_mended) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.error_boundary(stopping(journal, "boundary"), line(failing("no luck"))).use(noting(journal, "behind"));
  EXPECT_EQ(bench.message(bot, "hi").kind, Outcome::Kind::done);
  EXPECT_THAT(journal, ElementsAre("boundary caught no luck"));
}

TEST(ErrorBoundary, M13_next_in_its_handler_resumes_behind_the_boundary) {
  BotBench bench;
  Journal journal;
  Composer inner;
  inner.use(failing("no luck")).use(noting(journal, "skipped"));
  Bot bot;
  bot.error_boundary(resuming(journal, "boundary"), inner).use(noting(journal, "behind"));
  bench.message(bot, "hi");
  EXPECT_THAT(journal, ElementsAre("boundary caught no luck", "behind"));
}

TEST(ErrorBoundary, M13_without_an_error_the_line_goes_on_behind_it_once) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.error_boundary(resuming(journal, "boundary"), line(noting(journal, "inside")))
      .use(noting(journal, "behind"));
  bench.message(bot, "hi");
  EXPECT_THAT(journal, ElementsAre("inside", "behind"));
}

TEST(ErrorBoundary, M13_a_rethrow_goes_to_the_next_boundary_outwards) {
  BotBench bench;
  Journal journal;
  Composer middle;
  middle.error_boundary(rethrowing(journal, "inner"), line(failing("no luck")));
  Bot bot;
  bot.error_boundary(resuming(journal, "outer"), middle).use(noting(journal, "behind"));
  bench.message(bot, "hi");
  EXPECT_THAT(journal, ElementsAre("inner passed on no luck", "outer caught no luck", "behind"));
}

TEST(ErrorBoundary, M13_what_comes_behind_it_is_not_inside) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.error_boundary(stopping(journal, "boundary"), line(noting(journal, "inside"))).use(failing("behind"));
  EXPECT_THROW(bench.message(bot, "hi"), std::runtime_error);
  EXPECT_THAT(journal, ElementsAre("inside"));
  Bot resumed;
  resumed.error_boundary(resuming(journal, "boundary"), line(failing("inside"))).use(failing("behind"));
  EXPECT_THROW(bench.message(resumed, "hi"), std::runtime_error);
  EXPECT_THAT(journal, ElementsAre("inside", "boundary caught inside"));
}

TEST(ErrorBoundary, M13_next_twice_in_its_handler_is_a_failure_that_names_it) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.use(noting(journal, "first"));
  bot.error_boundary(
      [](BotError, Next next) -> asio::awaitable<void> {
        co_await next();
        co_await next();
      },
      line(failing("no luck")));
  EXPECT_EQ(
      misuse_of([&] { bench.message(bot, "hi"); }),
      "the handler of the error boundary at place 2 called next() a second time: the rest of the line runs "
      "once");
}

TEST(ErrorBoundary, M13_its_handler_gets_the_update_and_may_reply_and_settle) {
  BotBench bench;
  Bot bot;
  bot.error_boundary(
      [](BotError error) -> asio::awaitable<void> {
        error.context.reply("sorry: " + error.text() + " at attempt " +
                            std::to_string(error.context.attempt()));
        error.context.settle(Outcome::retry_after(std::chrono::seconds(9), error.text()));
        co_return;
      },
      line(failing("no luck")));
  const Outcome outcome = bench.message(bot, "hi");
  EXPECT_EQ(outcome.kind, Outcome::Kind::retry);
  EXPECT_EQ(outcome.after, std::chrono::seconds(9));
  EXPECT_EQ(bench.turn->calls.at(0).params, R"({"chat_id":7,"text":"sorry: no luck at attempt 1"})");
}

TEST(ErrorBoundary, M13_it_catches_what_is_no_exception_class_and_what_conditions_throw) {
  BotBench bench;
  Journal journal;
  const auto odd = [](BotContext) { throw 7; };  // NOLINT(hicpp-exception-baseclass)
  Composer condition;
  condition.filter([](const BotContext&) -> bool { throw std::runtime_error("condition"); }, odd);
  Bot bot;
  bot.error_boundary(resuming(journal, "a"), line(odd)).error_boundary(stopping(journal, "b"), condition);
  bench.message(bot, "hi");
  EXPECT_THAT(journal,
              ElementsAre("a caught something that is no std::exception was thrown", "b caught condition"));
}

}  // namespace
}  // namespace tgkeep
