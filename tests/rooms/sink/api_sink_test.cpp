#include <gtest/gtest.h>

#include <deque>
#include <tgkeep/api_sink.hpp>

#include "support/run.hpp"

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;

class ScriptedApi final : public Api {
 public:
  std::deque<ApiResult> answers;
  std::vector<std::string> calls;
  bool throws = false;
  asio::awaitable<ApiResult> call(ApiRequest request) override {
    calls.push_back(request.method + " " + request.params);
    EXPECT_FALSE(request.repeatable);
    if (throws) throw boost::system::system_error(asio::error::operation_aborted);
    ApiResult answer = answers.front();
    answers.pop_front();
    co_return answer;
  }
};

ApiError refusal(int code, std::string text) {
  ApiError error(ApiError::Kind::refused, std::move(text));
  error.code = code;
  return error;
}

class ApiSinkTest : public testing::Test {
 protected:
  Outcome deliver(std::int64_t bot = 42) {
    Item item;
    item.queue = Queue::outbox;
    item.bot = BotId(bot);
    item.kind = "sendMessage";
    item.body = R"({"chat_id":1,"text":"hi"})";
    return test::run(io, sink->deliver(std::make_shared<const Delivery>(std::move(item), false)));
  }
  asio::io_context io;
  ScriptedApi api;
  std::unique_ptr<Sink> sink =
      make_api_sink([this](BotId bot) { return bot == BotId(42) ? &api : nullptr; }, Log());
};

TEST_F(ApiSinkTest, an_ok_answer_is_done) {
  api.answers.emplace_back(std::string("{}"));
  EXPECT_EQ(deliver().kind, Outcome::Kind::done);
  EXPECT_EQ(api.calls.at(0), R"(sendMessage {"chat_id":1,"text":"hi"})");
}

TEST_F(ApiSinkTest, P12_a_call_leaves_once_for_each_delivery) {
  api.answers.emplace_back(std::string("{}"));
  api.answers.emplace_back(std::string("{}"));
  deliver();
  EXPECT_EQ(api.calls.size(), 1U);
}

TEST_F(ApiSinkTest, P10_flood_control_is_obeyed_exactly_and_counts_no_attempt) {
  ApiError error = refusal(429, "Too Many Requests: retry after 17");
  error.retry_after = 17s;
  api.answers.emplace_back(error);
  const Outcome outcome = deliver();
  EXPECT_EQ(outcome.kind, Outcome::Kind::postpone);
  EXPECT_EQ(outcome.after, Duration(17s));
}

TEST_F(ApiSinkTest, P12_only_what_surely_did_not_reach_telegram_is_sent_again) {
  api.answers.emplace_back(ApiError(ApiError::Kind::not_sent, "connection refused"));
  EXPECT_EQ(deliver().kind, Outcome::Kind::postpone);
  api.answers.emplace_back(ApiError(ApiError::Kind::maybe_sent, "connection reset"));
  const Outcome outcome = deliver();
  EXPECT_EQ(outcome.kind, Outcome::Kind::doubt);
  EXPECT_EQ(outcome.error, "sendMessage: connection reset");
}

TEST_F(ApiSinkTest, P12_a_call_cancelled_on_its_way_is_in_doubt) {
  api.throws = true;
  EXPECT_EQ(deliver().kind, Outcome::Kind::doubt);
}

TEST_F(ApiSinkTest, P7_an_outage_of_telegram_is_not_the_calls_fault) {
  api.answers.emplace_back(ApiError(ApiError::Kind::not_sent, "connection refused"));
  EXPECT_EQ(deliver().target, Outcome::Target::unreachable);
  api.answers.emplace_back(ApiError(ApiError::Kind::maybe_sent, "502"));
  EXPECT_EQ(deliver().target, Outcome::Target::failed);
  api.answers.emplace_back(refusal(400, "Bad Request: chat not found"));
  EXPECT_EQ(deliver().target, Outcome::Target::fine);
}

TEST_F(ApiSinkTest, a_refusal_is_a_dead_letter_with_telegrams_words) {
  api.answers.emplace_back(refusal(403, "Forbidden: bot was blocked by the user"));
  const Outcome outcome = deliver();
  EXPECT_EQ(outcome.kind, Outcome::Kind::dead);
  EXPECT_EQ(outcome.reason, "refused");
  EXPECT_EQ(outcome.error, "sendMessage: Forbidden: bot was blocked by the user");
}

TEST_F(ApiSinkTest, P10_calls_of_a_bot_without_a_valid_token_are_kept) {
  api.answers.emplace_back(refusal(401, "Unauthorized"));
  const Outcome outcome = deliver();
  EXPECT_EQ(outcome.kind, Outcome::Kind::postpone);
  EXPECT_EQ(outcome.target, Outcome::Target::unreachable) << "one call at a time asks again, not all";
  api.answers.emplace_back(refusal(404, "Not Found"));
  EXPECT_EQ(deliver().kind, Outcome::Kind::postpone);
  api.answers.emplace_back(refusal(404, "Not Found: method not found"));
  EXPECT_EQ(deliver().kind, Outcome::Kind::dead);
}

TEST_F(ApiSinkTest, a_call_of_an_unknown_bot_is_a_dead_letter) {
  EXPECT_EQ(deliver(7).reason, "no_bot");
}

}  // namespace
}  // namespace tgkeep::sink
