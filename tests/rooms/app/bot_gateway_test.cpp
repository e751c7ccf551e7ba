// A whole bot: composer, Gateway, queues and API client against the emulated Bot API.

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <tgkeep/bot.hpp>
#include <tgkeep/gateway.hpp>

#include "e2e/telegram_thread.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

class BotGateway : public testing::Test {
 protected:
  void start(const Bot& bot, std::vector<ApiTransformer> transformers = {}) {
    GatewayOptions options{std::string(test::kBotToken)};
    options.api_root = telegram_.root();
    options.in_memory = true;
    options.signals = false;
    options.log = Log();
    options.inbox.first_delay = 1ms;
    options.transformers = std::move(transformers);
    gateway_ = std::make_unique<Gateway>(options, bot.handler());
    code_ = std::async(std::launch::async, [this] { return gateway_->run(); });
  }
  QueueCounts stop() {
    gateway_->stop();
    EXPECT_EQ(code_.get(), 0);
    return gateway_->stats().counts.inbox;
  }

  test::TelegramThread telegram_;
  std::unique_ptr<Gateway> gateway_;
  std::future<int> code_;
};

TEST_F(BotGateway, commands_texts_and_middleware_answer_through_the_outbox_in_order) {
  std::atomic<int> seen = 0;
  Bot bot;
  bot.use([&seen](BotContext, Next next) -> asio::awaitable<void> {
    ++seen;
    co_await next();
  });
  bot.command("start", [](BotContext update) { update.reply("welcome " + std::string(update.match())); })
      .text("hi", [](BotContext update) { update.reply("hello"); })
      .on("message", [](BotContext update) { update.reply("what?"); });
  start(bot);
  telegram_.send(1, "/start deep");
  telegram_.send(1, "hi");
  telegram_.send(1, "hm");
  telegram_.send(1, "/start@nobody_bot x");
  telegram_.wait_for("sendMessage", 4);
  EXPECT_EQ(stop().done, 4);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:welcome deep", "1:hello", "1:what?", "1:what?"));
  EXPECT_EQ(seen, 4);
}

TEST_F(BotGateway, P4_an_error_is_tried_again_until_it_is_done_and_nothing_it_left_is_sent) {
  Bot bot;
  bot.on("message", [](BotContext update) {
    update.reply("attempt " + std::to_string(update.attempt()));
    if (update.attempt() < 3) throw std::runtime_error("no luck");
  });
  start(bot);
  telegram_.send(1, "hi");
  telegram_.wait_for("sendMessage");
  const QueueCounts counts = stop();
  EXPECT_EQ(counts.done, 1);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:attempt 3"));
}

TEST_F(BotGateway, P4_retry_after_and_dead_are_said_by_handlers_and_by_the_error_handler) {
  Bot bot;
  bot.text("later", [](BotContext update) {
    if (update.attempt() == 1) return Outcome::retry_after(1ms, "not yet");
    update.reply("now");
    return Outcome::done();
  });
  bot.text("dead", [](BotContext update) { update.settle(Outcome::dead("refused", "not for us")); });
  bot.text("broken", [](BotContext) { throw std::runtime_error("no luck"); });
  bot.on("message", [](BotContext update) { update.reply("last"); });
  bot.on_error([](BotError error) -> asio::awaitable<Outcome> {
    if (error.context.attempt() == 1) co_return Outcome::retry_after(1ms, error.text());
    co_return Outcome::dead("broken", error.text() + " twice");
  });
  start(bot);
  for (const auto* text : {"later", "dead", "broken", "and this"}) telegram_.send(1, text);
  telegram_.wait_for("sendMessage", 2);
  const QueueCounts counts = stop();
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:now", "1:last"));
  EXPECT_EQ(counts.done, 2);
  EXPECT_THAT(counts.dead, UnorderedElementsAre(testing::Pair("refused", 1), testing::Pair("broken", 1)));
}

TEST_F(BotGateway, M18_a_direct_call_waits_out_a_429_and_gives_its_answer) {
  std::atomic<int> floods = 0;
  telegram_.set_faults([&floods](const emulator::CallRecord& record) {
    if (record.method != "sendMessage" || record.params.text("text") != "direct") return emulator::Fault();
    return ++floods == 1 ? emulator::Fault::flood(1s) : emulator::Fault();
  });
  const CallRecorder calls;
  Bot bot;
  bot.on("message", [](BotContext update) -> asio::awaitable<void> {
    const ApiResult sent = co_await update.call("sendMessage", R"({"chat_id":1,"text":"direct"})");
    if (sent.value().find("message_id") != std::string::npos) update.reply("the direct one was sent");
  });
  start(bot, {calls.recording(), auto_retry()});
  telegram_.send(1, "hi");
  telegram_.wait_for("sendMessage", 3);
  EXPECT_EQ(stop().done, 1);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:direct", "1:direct", "1:the direct one was sent"));
  EXPECT_EQ(calls.calls().size(), 3U) << "the two attempts and the call of the outbox";
}

TEST_F(BotGateway, M18_a_transformer_of_one_update_lies_around_its_own_calls_only) {
  CallRecorder of_one;
  of_one.answer_with("getMe", R"({"id":7})");
  Bot bot;
  bot.text("one", [of_one](BotContext update, Next next) -> asio::awaitable<void> {
    update.use(of_one.answering());
    co_await next();
  });
  bot.use([](BotContext update) -> asio::awaitable<void> {
    const ApiResult me = co_await update.call("getMe", "{}");
    update.reply(me.value() == R"({"id":7})" ? "recorded" : "real");
  });
  start(bot);
  telegram_.send(1, "one");
  telegram_.send(2, "two");
  telegram_.wait_for("sendMessage", 2);
  EXPECT_EQ(stop().done, 2);
  EXPECT_THAT(telegram_.sent(), UnorderedElementsAre("1:recorded", "2:real"));
  EXPECT_EQ(of_one.calls().size(), 1U);
}

TEST_F(BotGateway, M17_a_refused_direct_call_is_an_error_with_its_call_that_the_error_handler_can_branch_on) {
  telegram_.set_faults([](const emulator::CallRecord& record) {
    return record.params.text("text") == "direct" ? emulator::Fault::status(400) : emulator::Fault();
  });
  Bot bot;
  bot.on("message", [](BotContext update) -> asio::awaitable<void> {
    const ApiResult sent = co_await update.call("sendMessage", R"({"chat_id":1,"text":"direct"})");
    update.reply(sent.value());
  });
  bot.on_error([](BotError error) -> asio::awaitable<Outcome> {
    std::string told = "another error";
    try {
      error.rethrow();
    } catch (const ApiFailure& failure) {
      told = failure.error().method + " " + std::to_string(failure.error().code);
    }
    error.context.reply(told);
    co_return Outcome::done();
  });
  start(bot);
  telegram_.send(1, "hi");
  telegram_.wait_for("sendMessage", 2);
  EXPECT_EQ(stop().done, 1);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:direct", "1:sendMessage 400"));
}

}  // namespace
}  // namespace tgkeep
