#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rooms/calls/scripted_api.hpp"

namespace tgkeep {
namespace {

using namespace std::chrono_literals;
using test::flood;
using test::maybe_sent;
using test::not_sent;
using test::refused;
using testing::ElementsAre;
using Seconds = std::vector<std::int64_t>;

class Row {
 public:
  std::string name;
  std::vector<ApiResult> answers;  // the last one again and again
  AutoRetryOptions options;
  bool repeatable = false;
  Seconds calls_at;
  bool ends_well = true;
};

AutoRetryOptions retries(int max) {
  AutoRetryOptions options;
  options.max_retries = max;
  return options;
}

AutoRetryOptions doubtful(int max) {
  AutoRetryOptions options = retries(max);
  options.resend_doubtful = true;
  return options;
}

std::vector<Row> table() {
  const ApiResult ok = std::string("true");
  return {
      {"an answer", {ok}, {}, false, {0}},
      {"429", {flood(5s), ok}, {}, false, {0, 5}},
      {"429 twice", {flood(5s), flood(60s), ok}, {}, false, {0, 5, 65}},
      {"429 with retry_after 0", {flood(0s), ok}, {}, false, {0, 0}},
      {"429 above the cap", {flood(61s), ok}, {}, false, {0}, false},
      {"429 without a time", {refused(429, "Too Many Requests"), ok}, {}, false, {0, 3}},
      {"another refusal for a time",
       {[] {
          ApiError error = flood(4s);
          error.code = 420;
          return ApiResult(error);
        }(),
        ok},
       {},
       false,
       {0, 4}},
      {"a refusal", {refused(400, "Bad Request: chat not found"), ok}, {}, false, {0}, false},
      {"a bad token", {refused(401, "Unauthorized"), ok}, {}, false, {0}, false},
      {"a blocked bot", {refused(403, "Forbidden: bot was blocked by the user"), ok}, {}, false, {0}, false},
      {"not sent", {not_sent()}, retries(5), false, {0, 3, 9, 21, 45, 75}, false},
      {"not sent, then sent", {not_sent(), not_sent(), ok}, {}, false, {0, 3, 9}},
      {"5xx of a call with an effect", {maybe_sent(502), ok}, {}, false, {0}, false},
      {"a lost answer of a call with an effect", {maybe_sent(0), ok}, {}, false, {0}, false},
      {"5xx of a repeatable call", {maybe_sent(500)}, retries(6), true, {0, 3, 9, 21, 45, 75, 105}, false},
      {"a lost answer of a repeatable call", {maybe_sent(0), ok}, {}, true, {0, 3}},
      {"5xx where doubt is accepted", {maybe_sent(502), maybe_sent(502), ok}, doubtful(3), false, {0, 3, 9}},
      {"a lost answer where doubt is accepted", {maybe_sent(0), ok}, doubtful(3), false, {0, 3}},
      {"a 429 between does not let the pause grow",
       {not_sent(), flood(1s), not_sent(), ok},
       {},
       false,
       {0, 3, 4, 10}},
      {"kinds are counted together",
       {not_sent(), flood(1s), flood(1s), ok},
       retries(2),
       false,
       {0, 3, 4},
       false},
      {"no retries", {not_sent(), ok}, retries(0), false, {0}, false},
  };
}

TEST(AutoRetry, M18_each_class_of_error_waits_as_long_as_it_should_and_is_repeated_only_if_it_may) {
  for (const Row& row : table()) {
    SCOPED_TRACE(row.name);
    test::CallBench bench;
    bench.api.answers(row.answers);
    const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry(row.options)});
    ApiRequest request = test::send_message();
    request.repeatable = row.repeatable;
    const ApiResult answer = bench.call(*api, request);
    EXPECT_EQ(bench.api.seconds, row.calls_at);
    EXPECT_EQ(answer.has_value(), row.ends_well);
    for (const ApiRequest& sent : bench.api.requests) EXPECT_EQ(sent.params, request.params);
  }
}

TEST(AutoRetry, M18_the_error_given_back_is_the_last_one) {
  test::CallBench bench;
  bench.api.answers({not_sent(), flood(3600s)});
  const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry()});
  const ApiResult answer = bench.call(*api, test::send_message());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, 429);
  EXPECT_EQ(answer.error().retry_after, 3600s);
}

TEST(AutoRetry, M18_caps_are_settings) {
  AutoRetryOptions options;
  options.max_retries = 6;
  options.first_delay = 1s;
  options.max_delay = 5s;
  options.max_retry_after = 1h;
  test::CallBench bench;
  bench.api.answers({not_sent(), not_sent(), not_sent(), not_sent(), flood(3600s), std::string("true")});
  const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry(options)});
  const ApiResult answer = bench.call(*api, test::send_message());
  EXPECT_TRUE(answer);
  EXPECT_THAT(bench.api.seconds, ElementsAre(0, 1, 3, 7, 12, 3612));
}

TEST(AutoRetry, M18_files_are_sent_again_whole) {
  test::CallBench bench;
  bench.api.answers({flood(2s), std::string("true")});
  const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry()});
  ApiRequest request("sendDocument", "{}", 10s);
  request.files.emplace_back("document", "a.txt", "content");
  bench.call(*api, request);
  ASSERT_EQ(bench.api.requests.size(), 2U);
  EXPECT_EQ(bench.api.requests[1].files.at(0).content, "content");
}

TEST(AutoRetry, M18_a_call_of_the_outbox_passes) {
  test::CallBench bench;
  bench.api.answers({flood(2s)});
  const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry()});
  ApiRequest request = test::send_message();
  request.from_outbox = true;
  const ApiResult answer = bench.call(*api, request);
  EXPECT_FALSE(answer);
  EXPECT_THAT(bench.api.seconds, ElementsAre(0));
}

TEST(AutoRetry, M18_a_cancelled_wait_ends_at_once_with_the_last_error) {
  test::CallBench bench;
  bench.api.answers({flood(50s)});
  const auto api = make_transformed_api(bench.api, bench.clock, {auto_retry()});
  bench.start(*api, test::send_message());
  loop::run_for(bench.io, bench.clock, 10s);
  EXPECT_FALSE(bench.answer);
  bench.cancel.emit(asio::cancellation_type::terminal);
  loop::run_for(bench.io, bench.clock, 0s);
  ASSERT_TRUE(bench.answer);
  EXPECT_EQ(bench.answer->error().code, 429);
  EXPECT_EQ(bench.clock.alarms(), 0U);
}

}  // namespace
}  // namespace tgkeep
