#include <gmock/gmock.h>

#include <future>
#include <mutex>
#include <string>
#include <tgkeep/gateway.hpp>
#include <thread>
#include <vector>

#include "e2e/telegram_thread.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Collects events as `level event field=value…`.
class Lines {
 public:
  Log log() {
    return Log([this](LogLevel level, std::string_view event, std::span<const LogField> fields) {
      std::string line = std::string(to_string(level)) + " " + std::string(event);
      for (const LogField& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    });
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

asio::awaitable<Outcome> answer(Context context) {
  Outcome outcome = Outcome::done();
  outcome.calls.emplace_back("sendMessage",
                             R"({"chat_id":1,"text":"answer )" + std::to_string(context.attempt()) + R"("})");
  co_return outcome;
}

class GatewayTest : public testing::Test {
 protected:
  GatewayOptions options() {
    GatewayOptions options{std::string(test::kBotToken)};
    options.api_root = telegram_.root();
    options.in_memory = true;
    options.signals = false;
    options.log = lines_.log();
    return options;
  }

  Lines lines_;
  test::TelegramThread telegram_;
};

TEST_F(GatewayTest, P9_a_stop_from_another_thread_ends_run_with_0_and_a_summary) {
  Gateway gateway(options(), answer);
  std::future<int> code = std::async(std::launch::async, [&] { return gateway.run(); });
  telegram_.send(1, "hello");
  telegram_.wait_for("sendMessage");
  EXPECT_EQ(gateway.stats().source.stored, 1);
  gateway.stop();
  EXPECT_EQ(code.get(), 0);
  EXPECT_THAT(telegram_.sent(), ElementsAre("1:answer 1"));
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("info started bot=4242")));
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("info stopping why=asked")));
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("info stopped received=1")));
  EXPECT_EQ(gateway.stats().counts.inbox.done, 1);
}

TEST_F(GatewayTest, a_stop_before_run_ends_it_at_once) {
  Gateway gateway(options(), answer);
  gateway.stop();
  EXPECT_EQ(gateway.run(), 0);
}

TEST_F(GatewayTest, on_stopping_is_called_once) {
  int calls = 0;
  GatewayOptions with_callback = options();
  with_callback.on_stopping = [&calls] { ++calls; };
  Gateway gateway(with_callback, answer);
  gateway.stop();
  gateway.stop();
  EXPECT_EQ(gateway.run(), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(GatewayTest, stats_before_run_are_empty) {
  const Gateway gateway(options(), answer);
  EXPECT_EQ(gateway.stats().source.received, 0);
}

TEST_F(GatewayTest, a_malformed_token_fails_the_start_and_is_not_repeated) {
  GatewayOptions wrong = options();
  wrong.token = "nonsense-that-is-kept-quiet";
  EXPECT_EQ(Gateway(wrong, answer).run(), 1);
  EXPECT_THAT(lines_.all(), ElementsAre(HasSubstr("error start_failed reason=bad_config")));
  EXPECT_THAT(lines_.all(), Not(Contains(HasSubstr("nonsense"))));
}

TEST_F(GatewayTest, no_token_and_no_handler_fail_the_start_with_words) {
  GatewayOptions without = options();
  without.token.clear();
  EXPECT_EQ(Gateway(without, answer).run(), 1);
  EXPECT_EQ(Gateway(options(), Handler()).run(), 1);
  EXPECT_THAT(lines_.all(), ElementsAre(HasSubstr("TGKEEP_TOKEN"), HasSubstr("empty handler")));
}

TEST_F(GatewayTest, two_bots_share_a_loop_and_have_numbers_and_names_of_their_own) {
  const GatewayOptions first = options();
  BotOptions one = first;
  one.name = "one";
  one.handler = answer;
  BotOptions two = one;
  two.name = "two";
  two.token = std::string(test::kOtherToken);
  Gateway gateway(first, std::vector<BotOptions>{one, two});
  std::future<int> code = std::async(std::launch::async, [&] { return gateway.run(); });
  telegram_.send(1, "a");
  telegram_.send(1, "b", test::kOtherToken);
  telegram_.send(2, "c", test::kOtherToken);
  telegram_.wait_for("sendMessage", 3);
  EXPECT_EQ(gateway.stats(0).source.stored, 1);
  EXPECT_EQ(gateway.stats(1).source.stored, 2);
  EXPECT_EQ(gateway.stats(2).source.stored, 0);
  gateway.stop();
  EXPECT_EQ(code.get(), 0);
  EXPECT_EQ(gateway.stats(1).counts.inbox.done, 2);
  EXPECT_THAT(lines_.all(), Contains(testing::AllOf(HasSubstr("stopped received=2"), HasSubstr("name=two"))));
}

TEST_F(GatewayTest, no_bot_at_all_and_two_webhooks_on_one_path_fail_the_start) {
  const GatewayOptions process = options();
  EXPECT_EQ(Gateway(process, std::vector<BotOptions>()).run(), 1);
  BotOptions one = process;
  one.name = "one";
  one.handler = answer;
  one.webhook.emplace();
  BotOptions two = one;
  two.name = "two";
  two.token = std::string(test::kOtherToken);
  EXPECT_EQ(Gateway(process, std::vector<BotOptions>{one, two}).run(), 1);
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("no bot")));
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("bot two: two bots have the webhook path /")));
}

asio::awaitable<Outcome> block(std::shared_ptr<std::promise<void>> began, std::shared_future<void> go_on,
                               Context) {
  began->set_value();
  go_on.wait();
  co_return Outcome::done();
}

TEST_F(GatewayTest, P9_a_handler_past_the_drain_is_cut_off_with_3) {
  auto began = std::make_shared<std::promise<void>>();
  std::promise<void> release;
  const std::shared_future<void> go_on = release.get_future().share();
  GatewayOptions hasty = options();
  hasty.drain = 1ms;
  Gateway gateway(hasty, [began, go_on](Context context) { return block(began, go_on, context); });
  std::future<int> code = std::async(std::launch::async, [&] { return gateway.run(); });
  telegram_.send(1, "hello");
  began->get_future().wait();
  gateway.stop();
  // The handler's thread is let go only when the runner has given it up.
  while (testing::Value(lines_.all(), Not(Contains(HasSubstr("info stopped"))))) std::this_thread::yield();
  release.set_value();
  EXPECT_EQ(code.get(), 3);
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("cut_off=1")));
}

}  // namespace
}  // namespace tgkeep
