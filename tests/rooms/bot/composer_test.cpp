#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rooms/bot/bot_bench.hpp"

namespace tgkeep {
namespace {

using test::BotBench;
using test::Journal;
using test::misuse_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Middleware around(Journal& journal, std::string name) {
  return [&journal, name](BotContext, Next next) -> asio::awaitable<void> {
    journal.push_back(name + " in");
    co_await next();
    journal.push_back(name + " out");
  };
}

Middleware last(Journal& journal, std::string name) {
  return [&journal, name](BotContext) { journal.push_back(name); };
}

TEST(Composer, M13_middleware_runs_from_the_first_to_the_last_and_back) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.use(around(journal, "a")).use(around(journal, "b")).use(last(journal, "c")).use(last(journal, "never"));
  const Outcome outcome = bench.message(bot, "hi");
  EXPECT_EQ(outcome.kind, Outcome::Kind::done);
  EXPECT_THAT(journal, ElementsAre("a in", "b in", "c", "b out", "a out"));
}

TEST(Composer, M13_what_is_not_meant_is_passed_over_and_a_handler_without_next_ends_the_line) {
  BotBench bench;
  Journal journal;
  Bot bot("my_bot");
  bot.command("start", last(journal, "start"))
      .command({"help", "about"}, last(journal, "help"))
      .text("hi", last(journal, "hi"))
      .text({"bye", "good bye"}, last(journal, "bye"))
      .on("edited_message", last(journal, "edited"))
      .on({"callback_query", "poll"}, last(journal, "other"))
      .filter([](const BotContext& update) { return update.text().size() > 5; }, last(journal, "long"))
      .on("message", last(journal, "message"));
  bench.command(bot, "/start");
  bench.command(bot, "/about@My_Bot x");
  bench.command(bot, "/about@another_bot x");
  bench.message(bot, "hi");
  bench.message(bot, "Hi");
  bench.message(bot, "good bye");
  bench.message(bot, "/start");
  bench.handle(bot, "edited_message", test::command("/start"));
  bench.handle(bot, "callback_query", R"({"id":"1"})");
  bench.handle(bot, "poll", R"({"id":"1"})");
  bench.handle(bot, "channel_post", test::message("hi"));
  bench.handle(bot, "message", R"({"caption":"hi"})");
  bench.handle(bot, "edited_channel_post", test::message("hi"));
  EXPECT_THAT(journal, ElementsAre("start", "help", "long", "hi", "message", "bye", "long", "edited", "other",
                                   "other", "hi", "hi"));
}

TEST(Composer, M13_a_command_gives_what_follows_it) {
  BotBench bench;
  std::string match = "?";
  Bot bot;
  bot.command("start", [&match](BotContext update) { match = update.match(); });
  bench.command(bot, "/start   deep link ");
  EXPECT_EQ(match, "deep link ");
  bench.command(bot, "/start");
  EXPECT_EQ(match, "");
}

TEST(Composer, M13_composers_nest_and_what_they_do_not_end_goes_on_behind_them) {
  BotBench bench;
  Journal journal;
  Composer innermost;
  innermost.use(around(journal, "c")).command("admin", last(journal, "admin"));
  Composer inner;
  inner.use(around(journal, "b")).on("message", innermost);
  Bot bot;
  bot.use(around(journal, "a")).use(inner).use(last(journal, "rest"));
  bench.message(bot, "hi");
  EXPECT_THAT(journal, ElementsAre("a in", "b in", "c in", "rest", "c out", "b out", "a out"));
  journal.clear();
  bench.command(bot, "/admin");
  EXPECT_THAT(journal, ElementsAre("a in", "b in", "c in", "admin", "c out", "b out", "a out"));
}

TEST(Composer, what_is_registered_later_is_not_in_copies_and_handlers_made_before) {
  BotBench bench;
  Journal journal;
  Composer inner;
  Bot bot;
  bot.use(inner);
  const Bot before = bot;
  inner.use(last(journal, "inner"));
  bot.use(last(journal, "late"));
  bench.message(before, "hi");
  EXPECT_THAT(journal, IsEmpty());
  bench.message(bot, "hi");
  EXPECT_THAT(journal, ElementsAre("late"));
}

TEST(Composer, M13_next_twice_is_a_failure_that_names_the_middleware) {
  BotBench bench;
  Journal journal;
  const auto twice = [](BotContext, Next next) -> asio::awaitable<void> {
    co_await next();
    co_await next();
  };
  Bot bot;
  bot.use(around(journal, "a")).on({"message", "poll"}, twice).use(last(journal, "b"));
  const std::string text = misuse_of([&] { bench.message(bot, "hi"); });
  EXPECT_EQ(text,
            "middleware 2 (on message, poll) called next() a second time: the rest of the line runs once");
  EXPECT_THAT(journal, ElementsAre("a in", "b"));
}

TEST(Composer, M13_a_copy_of_next_counts_as_the_same) {
  BotBench bench;
  Bot bot;
  bot.command("go", [](BotContext, Next next) -> asio::awaitable<void> {
    const Next copy = next;
    co_await copy();
    co_await next();
  });
  EXPECT_THAT(misuse_of([&] { bench.command(bot, "/go"); }),
              HasSubstr("middleware 1 (command go) called next()"));
}

TEST(Composer, M13_next_may_be_left_out_and_may_throw) {
  BotBench bench;
  Journal journal;
  Bot bot;
  bot.use([&journal](BotContext, Next next) -> asio::awaitable<void> {
    std::string caught;
    try {
      co_await next();
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    journal.push_back(caught);
  });
  bot.text("fail", [](BotContext) { throw std::runtime_error("no luck"); });
  bot.use([](BotContext, Next) -> asio::awaitable<void> { co_return; });
  bot.use(last(journal, "never"));
  bench.message(bot, "fail");
  bench.message(bot, "hi");
  EXPECT_THAT(journal, ElementsAre("no luck", ""));
}

asio::awaitable<void> plain(BotContext update) {
  update.reply("plain");
  co_return;
}
asio::awaitable<void> with_next(BotContext update, Next next) {
  update.reply("with next");
  co_await next();
}
asio::awaitable<Outcome> settling(BotContext update) {
  update.reply("settling");
  co_return Outcome::dead("no_such_chat", "gone");
}
Outcome settling_at_once(const BotContext&) {
  return Outcome::retry_after(std::chrono::seconds(5), "later");
}
void silent(BotContext update) {
  update.reply("silent");
}

TEST(Composer, handlers_of_every_form_are_accepted) {
  BotBench bench;
  Bot bot;
  bot.use(with_next)
      .text("plain", plain)
      .text("settling", settling)
      .text("at once", settling_at_once)
      .text("silent", silent)
      .text("std::function", std::function<void(BotContext)>(silent))
      .text("lambda", [](const BotContext& update) { update.reply("lambda"); });
  EXPECT_EQ(bench.message(bot, "plain").kind, Outcome::Kind::done);
  EXPECT_EQ(bench.turn->calls.size(), 2U);
  const Outcome dead = bench.message(bot, "settling");
  EXPECT_EQ(dead.kind, Outcome::Kind::dead);
  EXPECT_EQ(dead.reason, "no_such_chat");
  const Outcome later = bench.message(bot, "at once");
  EXPECT_EQ(later.kind, Outcome::Kind::retry);
  EXPECT_EQ(later.after, std::chrono::seconds(5));
  bench.message(bot, "silent");
  EXPECT_EQ(bench.turn->calls.size(), 2U);
  bench.message(bot, "std::function");
  EXPECT_EQ(bench.turn->calls.size(), 2U);
  bench.message(bot, "lambda");
  EXPECT_EQ(bench.turn->calls.at(1).params, R"({"chat_id":7,"text":"lambda"})");
  EXPECT_EQ(bench.message(bot, "nobody's").kind, Outcome::Kind::done);
}

TEST(Composer, misuse_is_refused_when_it_is_registered) {
  Bot bot;
  EXPECT_EQ(misuse_of([&] { bot.command("/start", silent); }),
            "command(\"/start\"): write the name without the slash");
  EXPECT_THAT(
      misuse_of([&] { bot.on("mesage", silent); }),
      testing::AllOf(HasSubstr("on(\"mesage\"): no such kind of update; there are message edited_message"),
                     HasSubstr("use filter for a newer one")));
  EXPECT_THAT(misuse_of([&] { bot.on({"message", ""}, silent); }), HasSubstr("no such kind"));
  EXPECT_THAT(misuse_of([&] { bot.text("", silent); }), HasSubstr("no message has an empty text"));
  EXPECT_THAT(misuse_of([&] { bot.filter(nullptr, silent); }), HasSubstr("empty function"));
  EXPECT_THAT(misuse_of([&] { bot.use(std::function<void(BotContext)>()); }), HasSubstr("empty function"));
  EXPECT_THAT(misuse_of([&] { bot.use(std::function<asio::awaitable<void>(BotContext, Next)>()); }),
              HasSubstr("empty function"));
}

}  // namespace
}  // namespace tgkeep
