// What a running bot's handlers are offered: direct calls, state, the outbox.

#include <gmock/gmock.h>

#include <mutex>
#include <string>
#include <tgkeep/run.hpp>
#include <thread>
#include <vector>

#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// Lines from any thread.
class Notes {
 public:
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// A transformer that says when a call passes it.
class Gate {
 public:
  Gate(Notes& notes, std::string name) : notes_(&notes), name_(std::move(name)) {}
  asio::awaitable<ApiResult> operator()(ApiNext next, ApiRequest request) {
    notes_->add(name_ + " " + request.method + (request.from_outbox ? " from the outbox" : ""));
    return next(std::move(request));
  }

 private:
  Notes* notes_;
  std::string name_;
};

class RunServicesTest : public testing::Test {
 protected:
  GatewayOptions options() const {
    GatewayOptions options{std::string(test::kBotToken)};
    options.api_root = telegram_.root();
    options.folder = folder_.file("store");
    options.log = Log();
    options.inbox.first_delay = 1ms;
    return options;
  }

  Notes notes_;
  test::TelegramThread telegram_;
  test::TemporaryFolder folder_;
};

asio::awaitable<Outcome> ask_who_i_am(Notes* notes, Context context) {
  context.use(Gate(*notes, "inner"));
  context.use(Gate(*notes, "outer"));
  ApiRequest request("getMe", "{}", 10s);
  const ApiResult answer = co_await context.api().call(std::move(request));
  context.leave("sendMessage", R"({"chat_id":7,"text":")" + std::string(answer ? "I am" : "?") + R"("})");
  co_return Outcome::done();
}

TEST_F(RunServicesTest, M18_transformers_stand_around_direct_calls_and_the_outbox_and_not_around_polling) {
  GatewayOptions with_gate = options();
  with_gate.transformers.emplace_back(Gate(notes_, "bot"));
  RunnerHandle bot = run(with_gate, [this](Context context) { return ask_who_i_am(&notes_, context); });
  telegram_.send(7, "who?");
  telegram_.wait_for("sendMessage");
  bot.stop();
  EXPECT_THAT(notes_.all(),
              ElementsAre("outer getMe", "inner getMe", "bot getMe", "bot sendMessage from the outbox"));
  EXPECT_THAT(telegram_.sent(), ElementsAre("7:I am"));
}

asio::awaitable<Outcome> count_at_the_second_try(Notes* notes, Context context) {
  const std::optional<std::string> before = co_await context.state("count", "all");
  notes->add(before.value_or("none"));
  const std::string after = std::to_string((before ? std::stoi(*before) : 0) + 1);
  context.set_state("count", "all", after);
  context.leave("sendMessage", R"({"chat_id":7,"text":")" + after + R"("})");
  if (context.attempt() == 1) co_return Outcome::retry("once more");
  co_return Outcome::done();
}

TEST_F(RunServicesTest, P12_state_and_calls_of_a_failed_attempt_are_not_there_and_those_of_done_are_exact) {
  RunnerHandle bot =
      run(options(), [this](Context context) { return count_at_the_second_try(&notes_, context); });
  for (int i = 0; i < 3; ++i) telegram_.send(7, "text");
  telegram_.wait_for("sendMessage", 3);
  bot.stop();
  EXPECT_THAT(notes_.all(), ElementsAre("none", "none", "1", "1", "2", "2"));
  EXPECT_THAT(telegram_.sent(), UnorderedElementsAre("7:1", "7:2", "7:3"));
  bot.start();
  telegram_.send(7, "text");
  telegram_.wait_for("sendMessage", 4);
  bot.stop();
  EXPECT_EQ(notes_.all().back(), "3");
}

asio::awaitable<Outcome> call_with_an_empty_transformer(Context context) {
  context.use(ApiTransformer());
  ApiRequest request("getMe", "{}", 10s);
  try {
    co_await context.api().call(std::move(request));
  } catch (const Failure& failure) {
    co_return Outcome::dead(std::string(to_string(failure.error().code())), failure.what());
  }
  co_return Outcome::done();
}

TEST_F(RunServicesTest, what_a_transformer_throws_on_the_loop_reaches_the_handler) {
  RunnerHandle bot = run(options(), call_with_an_empty_transformer);
  telegram_.send(7, "text");
  while (bot.stats().dead + bot.stats().done < 1) std::this_thread::yield();
  EXPECT_EQ(bot.stats().dead, 1);
}

}  // namespace
}  // namespace tgkeep
